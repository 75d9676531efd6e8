#include "core/train/inspect_start.h"

#include "core/catalog/configs/features.h"
#include "core/catalog/read.h"
#include "core/data/manifest.h"
#include "core/data/recipe_data.h"
#include "core/model/drop_masks.h"
#include "core/recipe/value_at.h"
#include "core/settings/data_settings.h"
#include "core/settings/layer_keys.h"
#include "core/settings/option_paths.h"
#include "core/tasks/spec.h"
#include "core/train/hotword_figure.h"
#include "core/train/inspect_search.h"
#include "core/train/module_set.h"
#include "core/train/optim/parameter_groups.h"
#include "core/train/task/hotword_list.h"
#include "core/train/task/recipe_keys.h"
#include "core/train/weights/initial_weights.h"
#include "core/train/weights/loaded_layers.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace earwright::train {

namespace {

using recipe::Diagnostic;
using recipe::Severity;

constexpr const char* kGroups = "optim_param_groups";

void say(std::vector<Diagnostic>& found, const recipe::Node& recipe, const char* key,
    const char* rule, const std::string& message, Severity severity = Severity::Error)
{
    const recipe::NodePtr node = settings::findOption(recipe, key);
    found.push_back({ severity, rule, message, node ? node->span : recipe.span, {}, {} });
}

/// A file that is not there is told of by the check of the recipe.
bool areThere(const std::vector<WeightSource>& sources)
{
    std::error_code none;
    for (const WeightSource& source : sources)
        for (const std::filesystem::path& path : source)
            if (!std::filesystem::exists(path, none))
                return false;
    return true;
}

Unmatched unmatchedOf(const ModuleSet& modules, const std::map<std::string, torch::Tensor>& stored)
{
    Unmatched unmatched;
    std::set<std::string> known;
    for (const auto& list : { modules.weights(), modules.buffers() }) {
        for (const auto& [name, tensor] : list) {
            const auto found = stored.find(name);
            known.insert(name);
            if (found == stored.end())
                unmatched.missing.push_back(name);
            else if (found->second.sizes() != tensor.sizes())
                unmatched.misshapen.push_back(
                    { name, found->second.sizes().vec(), tensor.sizes().vec() });
        }
    }
    for (const auto& [name, tensor] : stored)
        if (!known.contains(name) && !name.starts_with(kNormalizeState)
            && !model::isDropMasks(name))
            unmatched.unexpected.push_back(name);
    return unmatched;
}

/// Whether the input normalisation never learns statistics: it needs those of the weights.
bool learnsNoStatistics(const recipe::Node& recipe)
{
    std::vector<Diagnostic> reported; // by the check of the recipe
    return catalog::readConfig<catalog::InputNormalizationConfig>(
               *settings::inputNormalization(recipe), reported)
               .updateUntilEpoch
        == 1;
}

void inspectWeights(const recipe::Node& recipe, const catalog::RunOptions& options,
    const ModuleSet& modules, std::vector<Diagnostic>& found)
{
    const bool isAsked = !options.initParam.empty();
    const char* const key = isAsked ? "init_param" : "pretrainer";
    const auto sources = isAsked ? initialSources(options.initParam) : std::vector<WeightSource>();
    std::vector<WeightSource> named;
    for (const std::filesystem::path& file : loadedFiles(recipe))
        named.push_back({ file });
    named.insert(named.end(), sources.begin(), sources.end());
    if (!areThere(named))
        return;
    const auto weights = readInitialWeights(sources, recipe, modules);
    if (!weights)
        return say(found, recipe, key, "initial-weights", weights.error().message);
    Unmatched unmatched = unmatchedOf(modules, *weights);
    if (!isAsked)
        unmatched = ofLoadedLayers(std::move(unmatched), recipe);
    const std::string why = whyNoStart(unmatched, modules, options);
    if (!why.empty())
        return say(found, recipe, key, "initial-weights", nameOf(named) + why);
    if (!unmatched.missing.empty() || !unmatched.misshapen.empty())
        say(found, recipe, key, "initial-weights",
            "weights start from " + nameOf(named) + describe(unmatched), Severity::Warning);
    if (isAsked && lackStatistics(*weights, recipe) && learnsNoStatistics(recipe))
        say(found, recipe, "init_param", "initial-weights",
            nameOf(sources)
                + " has no statistics of the input normalisation, and with update_until_epoch: 1 "
                  "none are learnt: set that to 2 or more");
}

/// The diagnostic has one itself.
std::string withoutPlace(const std::string& message)
{
    return message.substr(std::min(message.find(kGroups), message.size()));
}

void inspectParts(const recipe::Node& recipe, const catalog::RunOptions& options,
    ModuleSet& modules, std::vector<Diagnostic>& found)
{
    if (const Status frozen = freeze(options.freezeParam, modules.weights()); !frozen)
        return say(found, recipe, "freeze_param", "freeze-param", frozen.error().message);
    if (const auto groups = parameterGroups(recipe, modules.parameters()); !groups)
        say(found, recipe, kGroups, "optim-param-groups", withoutPlace(groups.error().message));
}

/// Rank 0 counts the same before the first step.
void inspectHotwords(
    const recipe::Node& recipe, const std::string& maxKey, std::vector<Diagnostic>& found)
{
    const auto phrases = recipeHotwords(recipe);
    const auto manifests = data::manifestsOf(recipe, "valid");
    if (!phrases || manifests.empty())
        return;
    const settings::DataSettings settings = settings::dataSettings(recipe);
    const auto utterances
        = data::readManifest(manifests.front().path, settings.dataFolder, settings.columns);
    if (!utterances)
        return;
    std::vector<std::string> texts;
    for (const data::Utterance& utterance : *utterances)
        texts.push_back(utterance.text);
    if (const std::string why = whyNoFigure(maxKey, *phrases, texts); !why.empty())
        say(found, recipe, "max_key", "option-conflict", why);
}

} // namespace

std::vector<Diagnostic> inspectStart(const recipe::Node& recipe, const catalog::RunOptions& options)
{
    std::vector<Diagnostic> found;
    if (!options.maxKey.empty())
        inspectHotwords(recipe, options.maxKey, found);
    inspectSearches(recipe, found);
    const bool hasWeights = !options.initParam.empty() || loadsLayers(recipe);
    const bool asks = hasWeights || !options.freezeParam.empty() || recipe::find(recipe, kGroups);
    if (!asks)
        return found;
    Result<ModuleSet> modules = ModuleSet::build(recipe, tasks::layerKeys(options.task, recipe));
    if (!modules)
        return found;
    inspectParts(recipe, options, *modules, found);
    if (hasWeights)
        inspectWeights(recipe, options, *modules, found);
    return found;
}

} // namespace earwright::train
