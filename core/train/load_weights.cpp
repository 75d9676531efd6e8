#include "core/train/load_weights.h"

namespace kymo::train {

Status loadWeights(Task& task, std::map<std::string, torch::Tensor> stored, const std::string& what,
    std::vector<std::string>* missing)
{
    const torch::NoGradGuard noGrad;
    for (const auto& list : { task.modules().weights(), task.modules().buffers() }) {
        for (const auto& [name, tensor] : list) {
            const auto found = stored.find(name);
            if (found == stored.end() && missing != nullptr) {
                missing->push_back(name);
                continue;
            }
            if (found == stored.end() || found->second.sizes() != tensor.sizes())
                return Error { what + " does not fit the recipe: '" + name + "' "
                    + (found == stored.end() ? "is not in it" : "has another shape")
                    + "; was the recipe changed since?" };
            tensor.detach().copy_(found->second);
            stored.erase(found);
        }
    }
    task.restoreExtraState(stored);
    return Done {};
}

} // namespace kymo::train
