#include "core/train/weights/load_weights.h"

#include "core/model/drop_masks.h"
#include "core/train/task/recipe_keys.h"
#include "core/train/weights/checkpoint.h"

#include <torch/utils.h>

namespace earwright::train {

namespace {

/// Of a normalisation, perhaps one that the task has not.
bool isStatistic(const std::string& name)
{
    if (!name.starts_with(kNormalizeState))
        return false;
    const std::string own = name.substr(kNormalizeState.size());
    return own == "count" || own == "glob_mean" || own == "glob_std"
        || own.starts_with("spk_dict_");
}

/// Leaves those that do not fit out.
void restoreExtra(Task& task, const Tensors& stored, Unmatched& unmatched)
{
    const Unmatched found = task.unmatchedExtraState(stored);
    unmatched.missing.insert(unmatched.missing.end(), found.missing.begin(), found.missing.end());
    unmatched.misshapen.insert(
        unmatched.misshapen.end(), found.misshapen.begin(), found.misshapen.end());
    if (found.isEmpty())
        task.restoreExtraState(stored);
}

/// What is left of a file, without statistics and upstream's dropout masks.
std::vector<std::string> unexpectedOf(const Tensors& left)
{
    std::vector<std::string> names;
    for (const auto& [name, tensor] : left) {
        if (!isStatistic(name) && !model::isDropMasks(name))
            names.push_back(name);
    }
    return names;
}

/// Takes it out of `stored` where it is there.
void load(
    const std::string& name, const torch::Tensor& tensor, Tensors& stored, Unmatched& unmatched)
{
    const auto found = stored.find(name);
    if (found == stored.end()) {
        unmatched.missing.push_back(name);
        return;
    }
    if (found->second.sizes() == tensor.sizes())
        tensor.detach().copy_(found->second);
    else
        unmatched.misshapen.push_back({ name, found->second.sizes().vec(), tensor.sizes().vec() });
    stored.erase(found);
}

} // namespace

Status loadWeights(Task& task, Tensors stored, const std::string& what, Unmatched* unmatched)
{
    const torch::NoGradGuard noGrad;
    Unmatched found;
    for (const auto& list : { task.modules().weights(), task.modules().buffers() }) {
        for (const auto& [name, tensor] : list)
            load(name, tensor, stored, found);
    }
    restoreExtra(task, stored, found);
    const std::string lacking = describeLacking(found);
    if (!unmatched && !lacking.empty())
        return Error { what + " does not fit the recipe: " + lacking
            + "; was the recipe changed since?" };
    found.unexpected = unexpectedOf(stored);
    if (unmatched)
        *unmatched = std::move(found);
    return Done {};
}

} // namespace earwright::train
