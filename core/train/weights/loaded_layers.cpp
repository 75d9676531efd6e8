#include "core/train/weights/loaded_layers.h"

#include "core/base/text.h"
#include "core/model/torch_file.h"
#include "core/settings/pretrainer.h"
#include "core/tasks/spec.h"
#include "core/train/task/recipe_keys.h"
#include "core/train/weights/speechbrain_files.h"

#include <algorithm>

namespace earwright::train {

namespace {

std::vector<settings::LoadedLayer> loadedOf(const recipe::Node& recipe)
{
    const tasks::Spec* task = tasks::of(recipe);
    return settings::loadedLayers(recipe, task ? tasks::layerKeys(task->name, recipe) : Names());
}

/// Of the modules, and of the input normalisation, which keeps its own.
bool isKnown(const std::string& name, const ModuleSet& modules)
{
    const auto isIt = [&](const auto& item) { return item.first == name; };
    const auto weights = modules.weights();
    const auto buffers = modules.buffers();
    return name.starts_with(kNormalizeState) || std::any_of(weights.begin(), weights.end(), isIt)
        || std::any_of(buffers.begin(), buffers.end(), isIt);
}

Status addLayer(const settings::LoadedLayer& layer, const recipe::Node& recipe,
    const ModuleSet& modules, std::map<std::string, torch::Tensor>& all)
{
    if (!layer.problem.empty())
        return Error { layer.problem };
    const Renamings renamings = renamingsOf(layer.object, recipe);
    if (renamings.empty())
        return Error { inQuotes(layer.name)
            + " of 'loadables' is a part of a layer of 'modules': name the layer there" };
    Result<model::TensorFile> read = model::readWeights(layer.path);
    if (!read)
        return read.error();
    bool hasAny = false;
    for (auto& [name, tensor] : read->tensors) {
        const std::string own = renamed(name, renamings);
        hasAny = hasAny || isKnown(own, modules);
        all.insert_or_assign(own, std::move(tensor));
    }
    if (!hasAny)
        return Error { "'" + layer.path.string() + "' has none of the weights of "
            + inQuotes(layer.name) + "; is it of another model?" };
    return Done {};
}

} // namespace

bool loadsLayers(const recipe::Node& recipe)
{
    return !loadedOf(recipe).empty();
}

std::vector<std::filesystem::path> loadedFiles(const recipe::Node& recipe)
{
    std::vector<std::filesystem::path> files;
    for (const settings::LoadedLayer& layer : loadedOf(recipe))
        files.push_back(layer.path);
    return files;
}

Result<std::map<std::string, torch::Tensor>> readLoadedLayers(
    const recipe::Node& recipe, const ModuleSet& modules)
{
    std::map<std::string, torch::Tensor> all;
    for (const settings::LoadedLayer& layer : loadedOf(recipe))
        if (const Status added = addLayer(layer, recipe, modules, all); !added)
            return added.error();
    return all;
}

Unmatched ofLoadedLayers(Unmatched unmatched, const recipe::Node& recipe)
{
    Renamings loaded;
    for (const settings::LoadedLayer& layer : loadedOf(recipe))
        for (const Renaming& renaming : renamingsOf(layer.object, recipe))
            loaded.push_back(renaming);
    std::erase_if(unmatched.missing, [&](const std::string& name) {
        return std::none_of(loaded.begin(), loaded.end(),
            [&](const Renaming& renaming) { return name.starts_with(renaming.to); });
    });
    return unmatched;
}

} // namespace earwright::train
