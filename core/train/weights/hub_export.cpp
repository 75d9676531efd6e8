#include "core/train/weights/hub_export.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/adapters/merged_weights.h"
#include "core/model/tensor_file.h"
#include "core/model/whisper/whisper.h"
#include "core/recipe/value_at.h"
#include "core/settings/hub_source.h"
#include "core/tasks/spec.h"
#include "core/train/module_set.h"
#include "core/train/weights/checkpoint.h"
#include "core/train/weights/hub_files.h"
#include "core/train/weights/kept_files.h"

#include <torch/utils.h>

namespace earwright::train {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHubWeights = "model.safetensors";
constexpr const char* kModelPart = "model"; ///< of the layer, which alone holds parameters

/// What becomes a folder.
struct HubModelOfRun {
    std::string key; ///< of the recipe
    std::shared_ptr<model::Layer> layer;

    /// Null where it is an encoder alone.
    const model::Whisper* whisper() const
    {
        return dynamic_cast<const model::Whisper*>(layer.get());
    }
    const torch::nn::Module& model() const { return *layer->named_children()[kModelPart]; }
};

Result<settings::PretrainedObject> objectOf(const recipe::Node& recipe)
{
    const settings::PretrainedObject found = settings::pretrainedObject(recipe);
    if (!found.object)
        return Error {
            "the run's recipe has no pretrained encoder, which alone has a folder of the "
            "Hub"
        };
    if (settings::isWhisper(*found.object) && !settings::whisperModel(recipe))
        return Error { inQuotes(found.key)
            + " is Whisper's encoder alone (encoder_only), and a folder of the Hub holds a Whisper "
              "with its decoder" };
    return found;
}

/// The names are those under which the run has stored them.
Status fill(const ModuleSet& modules, const Tensors& stored, const fs::path& checkpoint)
{
    const torch::NoGradGuard noGrad;
    for (const auto& list : { modules.weights(), modules.buffers() })
        for (const auto& [name, tensor] : list) {
            const auto found = stored.find(name);
            if (found == stored.end() || found->second.sizes() != tensor.sizes())
                return Error { inQuotes(checkpoint.string())
                    + " does not fit the run's recipe: " + inQuotes(name)
                    + (found == stored.end() ? " is not in it" : " has another shape there") };
            tensor.detach().copy_(found->second);
        }
    return Done {};
}

/// Built as the run builds it, which knows where adapters are and what they add.
Result<HubModelOfRun> modelOf(
    const recipe::Node& recipe, const std::string& key, const fs::path& checkpoint)
{
    const Result<Tensors> stored = loadModel(checkpoint);
    if (!stored)
        return stored.error();
    const Result<ModuleSet> modules
        = ModuleSet::build(recipe, tasks::layerKeys(recipe::textAt(recipe, "task"), recipe));
    if (!modules)
        return modules.error();
    if (const Status filled = fill(*modules, *stored, checkpoint); !filled)
        return filled.error();
    HubModelOfRun found { key, model::unwrapped(modules->find(key)) };
    if (model::hasUnmergeable(*found.layer))
        return Error { inQuotes(key)
            + " has HoulsbyAdapterLinear, for which a folder of the Hub has no place: only what "
              "LoRA adds becomes part of the weights" };
    return found;
}

Status isFree(const fs::path& out)
{
    std::error_code problem;
    if (fs::exists(out, problem) && !(fs::is_directory(out, problem) && fs::is_empty(out, problem)))
        return Error { inQuotes(out.string())
            + " is there and is no empty folder: name another one" };
    fs::create_directories(out, problem);
    return isFolder(out) ? Status(Done {})
                         : Status(Error { "the folder " + inQuotes(out.string())
                             + " cannot be made: " + problem.message() });
}

/// A Whisper is stored as one that writes texts, whose outputs are computed by the vectors of the
/// tokens (tie_word_embeddings): they have no weights of their own.
model::TensorFile hubWeightsOf(const HubModelOfRun& found, Names& told)
{
    model::MergedWeights merged = model::mergedWeights(found.model());
    const std::string prefix = found.whisper() ? "model." : "";
    model::TensorFile file { {}, { { "format", "pt" } } };
    for (auto& [name, tensor] : merged.tensors)
        file.tensors.emplace(prefix + name, std::move(tensor));
    if (merged.adapters > 0)
        told.push_back("what LoRA adds to " + std::to_string(merged.adapters)
            + " linear layers is part of their weights");
    return file;
}

} // namespace

Result<Names> writeHubFolder(
    const run::RunFolder& run, const fs::path& checkpoint, const fs::path& out)
{
    const Result<plan::Plan> plan = run::readPlan(run);
    if (!plan)
        return plan.error();
    const recipe::NodePtr recipe = withKeptFiles(*plan->recipe, run.path);
    const Result<settings::PretrainedObject> object = objectOf(*recipe);
    if (!object)
        return object.error();
    const Result<fs::path> folder = settings::findHubFolder(
        recipe::textAt(*object->object, "source"), recipe::textAt(*object->object, "save_path"));
    if (!folder)
        return folder.error();
    const Result<HubModelOfRun> found = modelOf(*recipe, object->key, checkpoint);
    if (!found)
        return found.error();
    Status done = isFree(out);
    if (done)
        done = copyHubFiles(run.path, *folder, out);
    if (done && found->whisper())
        done = writeWhisperFiles(*recipe, run.path, out, found->whisper()->sizes().mels);
    Names told;
    if (done)
        done = model::writeTensorFile(out / kHubWeights, hubWeightsOf(*found, told));
    return done ? Result<Names>(std::move(told)) : done.error();
}

} // namespace earwright::train
