#include "core/train/weights/initial_weights.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/catalog/configs/features.h"
#include "core/catalog/read.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/torch_file.h"
#include "core/run/capsule.h"
#include "core/run/run_folder.h"
#include "core/settings/layer_keys.h"
#include "core/train/optim/parameter_groups.h"
#include "core/train/task/recipe_keys.h"
#include "core/train/weights/average.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/loaded_layers.h"
#include "core/train/weights/speechbrain_files.h"

#include <algorithm>
#include <set>

namespace earwright::train {

namespace {

namespace fs = std::filesystem;

Status addFile(const fs::path& file, const Renamings& renamings, Tensors& all)
{
    Result<model::TensorFile> read = model::readWeights(file);
    if (!read)
        return read.error();
    for (auto& [name, tensor] : read->tensors)
        all.insert_or_assign(renamed(name, renamings), std::move(tensor));
    return Done {};
}

/// SpeechBrain's checkpoints in its folder `save`.
std::vector<std::string> checkpointsIn(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
        if (entry.path().filename().string().starts_with("CKPT+"))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

Error nothingIn(const fs::path& folder, const recipe::Node& recipe)
{
    if (const std::vector<std::string> inside = checkpointsIn(folder); !inside.empty())
        return Error { "'" + folder.string() + "' holds checkpoints of SpeechBrain: name one, "
            + join(inside, " or ") };
    const std::vector<std::string> wanted = speechbrainNames(recipe);
    return Error { "'" + folder.string() + "' is no checkpoint or run that fits: it has neither "
        + "model.safetensors nor checkpoints nor, with weights of the recipe's `modules`, "
        + (wanted.empty() ? "model.ckpt" : join(wanted, ", ")) };
}

Result<Tensors> readFolder(const fs::path& folder, const recipe::Node& recipe)
{
    Tensors all;
    if (isFile(folder / "model.safetensors")) {
        const Status added = addFile(folder / "model.safetensors", {}, all);
        return added ? Result<Tensors>(all) : added.error();
    }
    for (const auto& [file, renamings] : speechbrainFiles(folder, recipe)) {
        if (const Status added = addFile(file, renamings, all); !added)
            return added.error();
    }
    if (all.empty())
        return nothingIn(folder, recipe);
    return all;
}

Result<Tensors> readCapsule(const fs::path& file, const recipe::Node& recipe)
{
    const Result<run::Capsule> capsule = run::Capsule::open(file);
    return capsule ? readFolder(capsule->checkpoint(), recipe) : Result<Tensors>(capsule.error());
}

/// Whether the recipe normalises by statistics of its training.
bool keepsStatistics(const recipe::Node& recipe)
{
    const recipe::NodePtr node = settings::inputNormalization(recipe);
    if (!node || !isNormalization(*node))
        return false;
    std::vector<recipe::Diagnostic> reported; // by the check, which comes before
    return catalog::readConfig<catalog::InputNormalizationConfig>(*node, reported).normType
        == "global";
}

bool isFinite(const torch::Tensor& tensor)
{
    return !tensor.is_floating_point() || tensor.isfinite().all().item<bool>();
}

/// Of a tensor that is taken and has NaN or Inf, which no checkpoint may have; "" = none has.
std::string broken(const Tensors& weights, const recipe::Node& recipe, const ModuleSet& modules)
{
    for (const auto& list : { modules.weights(), modules.buffers() })
        for (const auto& [name, tensor] : list)
            if (const auto found = weights.find(name); found != weights.end()
                && found->second.sizes() == tensor.sizes() && !isFinite(found->second))
                return name;
    if (keepsStatistics(recipe))
        for (const char* own : { "glob_mean", "glob_std" })
            if (const auto found = weights.find(kNormalizeState + own);
                found != weights.end() && !isFinite(found->second))
                return found->first;
    return "";
}

/// What of it is drawn and then frozen; and, to be named beside it, what is not used.
Unmatched frozenOf(
    const Unmatched& unmatched, const ModuleSet& modules, const std::string& freezeParam)
{
    std::set<std::string> frozen;
    for (const auto& [name, weight] : modules.weights())
        if (isFrozen(freezeParam, name))
            frozen.insert(name);
    Unmatched found { .unexpected = unmatched.unexpected };
    for (const std::string& name : unmatched.missing)
        if (frozen.contains(name))
            found.missing.push_back(name);
    for (const Misshapen& one : unmatched.misshapen)
        if (frozen.contains(one.name))
            found.misshapen.push_back(one);
    return found;
}

/// Weights of a model without adapters become those below the adapters.
void giveToAdapted(const ModuleSet& modules, Tensors& read)
{
    for (const auto& list : { modules.weights(), modules.buffers() })
        for (const auto& [name, tensor] : list) {
            const std::string before = model::nameBeforeAdapting(name);
            if (before == name || read.contains(name) || !read.contains(before))
                continue;
            auto entry = read.extract(before);
            entry.key() = name;
            read.insert(std::move(entry));
        }
}

WeightSource sourceOf(const fs::path& given)
{
    const fs::path saved = given / "checkpoints";
    const Result<plan::Plan> plan = run::readPlan({ given });
    const int64_t count = plan ? plan->options.avgCheckpoints : 1;
    if (auto several = bestCheckpoints(saved, static_cast<size_t>(count));
        count > 1 && several.size() > 1)
        return several;
    if (const auto best = bestCheckpoint(saved))
        return { *best };
    const fs::path ofFunAsr = given / "model.pt"; // as its folders of models have it
    return { lastCheckpoint(saved).value_or(isFile(ofFunAsr) ? ofFunAsr : given) };
}

} // namespace

std::vector<WeightSource> initialSources(const std::string& initParam)
{
    std::error_code none;
    if (fs::exists(initParam, none))
        return { sourceOf(initParam) };
    std::vector<WeightSource> sources;
    for (const std::string& part : split(initParam, ',')) {
        if (!trim(part).empty())
            sources.push_back(sourceOf(std::string(trim(part))));
    }
    return sources;
}

Result<Tensors> readInitialWeights(const fs::path& path, const recipe::Node& recipe)
{
    if (isFolder(path))
        return readFolder(path, recipe);
    std::error_code none;
    if (fs::exists(path, none) && !isFile(path)) // a pipe would be waited for
        return Error { "cannot read '" + path.string()
            + "': it is neither a file nor a folder; name a file of weights, a checkpoint, a run "
              "or a capsule" };
    if (run::isCapsuleFile(path))
        return readCapsule(path, recipe);
    Tensors all;
    const Status added = addFile(path, renamingsOfFile(path, recipe), all);
    return added ? Result<Tensors>(std::move(all)) : added.error();
}

Result<Tensors> readInitialWeights(const WeightSource& source, const recipe::Node& recipe)
{
    if (source.size() == 1)
        return readInitialWeights(source.front(), recipe);
    Result<Checkpoint> mean = averageCheckpoints(source);
    return mean ? Result<Tensors>(std::move(mean->model)) : mean.error();
}

std::string nameOf(const WeightSource& source)
{
    if (source.size() == 1)
        return source.front().string();
    std::vector<std::string> names { source.front().string() };
    for (size_t i = 1; i < source.size(); ++i)
        names.push_back(source[i].filename().string());
    return "the mean of " + join(names, ", ");
}

Result<Tensors> readInitialWeights(
    const std::vector<WeightSource>& sources, const recipe::Node& recipe, const ModuleSet& modules)
{
    Result<Tensors> loaded = readLoadedLayers(recipe, modules);
    if (!loaded)
        return loaded.error();
    Tensors all = std::move(*loaded);
    giveToAdapted(modules, all);
    const WeightSource ofPretrainer { "the files of 'pretrainer'" };
    std::map<std::string, const WeightSource*> from;
    for (const auto& [name, tensor] : all)
        from[name] = &ofPretrainer;
    for (const WeightSource& source : sources) {
        Result<Tensors> read = readInitialWeights(source, recipe);
        if (!read)
            return read.error();
        giveToAdapted(modules, *read);
        for (auto& [name, tensor] : *read) {
            all.insert_or_assign(name, std::move(tensor));
            from[name] = &source;
        }
    }
    if (const std::string name = broken(all, recipe, modules); !name.empty())
        return Error { nameOf(*from.at(name)) + ": '" + name
            + "' has NaN or Inf, so its training had failed by then; take an earlier checkpoint" };
    return all;
}

std::string nameOf(const std::vector<WeightSource>& sources)
{
    std::vector<std::string> names;
    for (const WeightSource& source : sources)
        names.push_back(nameOf(source));
    return join(names, " and ");
}

std::string whyNoStart(
    const Unmatched& unmatched, const ModuleSet& modules, const catalog::RunOptions& options)
{
    if (unmatched.missing.size() + unmatched.misshapen.size()
        == modules.weights().size() + modules.buffers().size())
        return " has none of the recipe's weights; is it of another model?" + describe(unmatched);
    if (!unmatched.misshapen.empty() && !options.ignoreInitMismatch)
        return " does not fit the recipe: " + describeLacking({ .misshapen = unmatched.misshapen })
            + "; ignore_init_mismatch: True draws them anew";
    const Unmatched frozen = frozenOf(unmatched, modules, options.freezeParam);
    if (frozen.missing.empty() && frozen.misshapen.empty())
        return "";
    return " lacks weights that freeze_param would keep as they are drawn" + describe(frozen)
        + "; rename them in the file, or take them out of freeze_param";
}

bool lackStatistics(const Tensors& weights, const recipe::Node& recipe)
{
    return !weights.contains(kNormalizeState + "glob_mean") && keepsStatistics(recipe);
}

} // namespace earwright::train
