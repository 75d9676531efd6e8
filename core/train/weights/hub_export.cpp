#include "core/train/weights/hub_export.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/tensor_file.h"
#include "core/recipe/value_at.h"
#include "core/settings/hub_model.h"
#include "core/settings/hub_source.h"
#include "core/train/weights/checkpoint.h"
#include "core/train/weights/kept_files.h"

namespace earwright::train {

namespace {

namespace fs = std::filesystem;

constexpr const char* kHubWeights = "model.safetensors";

/// The only child of the layer that holds parameters.
std::string prefixOf(const settings::PretrainedObject& encoder)
{
    return encoder.key + ".model.";
}

Error notWritten(const settings::PretrainedObject& encoder, const std::string& is)
{
    return Error { inQuotes(encoder.key) + " is " + is
        + ", which is not written as a folder of the Hub" };
}

Result<settings::PretrainedObject> encoderOf(const recipe::Node& recipe)
{
    const settings::PretrainedObject found = settings::pretrainedObject(recipe);
    if (!found.object)
        return Error {
            "the run's recipe has no pretrained encoder, which alone has a folder of the "
            "Hub"
        };
    if (found.isAdapted)
        return notWritten(found, "trained by adapters");
    if (settings::isWhisper(*found.object))
        return notWritten(found, "Whisper");
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

/// As they were when the run trained; a run of an older version has kept none.
Status copyKept(const fs::path& run, const fs::path& folder, const fs::path& out)
{
    for (const std::string& name : settings::keptHubFiles()) {
        const fs::path file = isFile(run / name) ? run / name : folder / name;
        if (!isFile(file))
            continue;
        const Result<std::string> text = readFile(file);
        if (!text)
            return text.error();
        if (const Status written = writeFileAtomically(out / name, *text); !written)
            return written;
    }
    return Done {};
}

} // namespace

Status writeHubFolder(const run::RunFolder& run, const fs::path& checkpoint, const fs::path& out)
{
    const Result<plan::Plan> plan = run::readPlan(run);
    if (!plan)
        return plan.error();
    const Result<settings::PretrainedObject> encoder
        = encoderOf(*withKeptFiles(*plan->recipe, run.path));
    if (!encoder)
        return encoder.error();
    const Result<fs::path> folder = settings::findHubFolder(
        recipe::textAt(*encoder->object, "source"), recipe::textAt(*encoder->object, "save_path"));
    if (!folder)
        return folder.error();
    const Result<Checkpoint> stored = loadCheckpoint(checkpoint);
    if (!stored)
        return stored.error();
    const std::string prefix = prefixOf(*encoder);
    model::TensorFile file { {}, { { "format", "pt" } } };
    for (const auto& [name, tensor] : stored->model) {
        if (!name.starts_with(prefix))
            continue;
        if (model::nameBeforeAdapting(name) != name) // by a layer of the recipe around it
            return notWritten(*encoder, "trained by adapters");
        file.tensors.emplace(name.substr(prefix.size()), tensor.contiguous());
    }
    if (file.tensors.empty())
        return Error { inQuotes(checkpoint.string()) + " holds no weights of "
            + inQuotes(encoder->key) };
    if (const Status free = isFree(out); !free)
        return free;
    if (const Status kept = copyKept(run.path, *folder, out); !kept)
        return kept;
    return model::writeTensorFile(out / kHubWeights, file);
}

} // namespace earwright::train
