#include "core/train/weights/checkpoint.h"

#include "core/base/file.h"
#include "core/model/tensor_file.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/checkpoint_manifest.h"
#include "core/train/weights/replace_folder.h"

#include <limits>
#include <optional>
#include <set>

namespace earwright::train {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

json progressToJson(const Progress& progress)
{
    return { { "epoch", progress.epoch }, { "batches_done", progress.batchesDone },
        { "step", progress.step }, { "best_metric", progress.bestMetric },
        { "attempt", progress.attempt }, { "valid_loss", progress.validLoss },
        { "schedule", progress.schedule }, { "memory_plans", progress.memoryPlans } };
}

/// JSON has no number that is not finite: such a loss is there as null.
double lossFromJson(const json& loss)
{
    return loss.is_null() ? std::numeric_limits<double>::quiet_NaN() : loss.get<double>();
}

Progress progressFromJson(const json& text)
{
    return { .epoch = text.at("epoch"),
        .batchesDone = text.at("batches_done"),
        .step = text.at("step"),
        .bestMetric = text.at("best_metric"),
        .attempt = text.at("attempt"),
        .validLoss = lossFromJson(text.at("valid_loss")),
        .schedule = text.at("schedule"),
        .memoryPlans = text.value("memory_plans", std::vector<std::string>()) };
}

json partsToJson(const std::vector<CheckpointPart>& parts)
{
    json list = json::array();
    for (const CheckpointPart& part : parts)
        list.push_back({ { "name", part.name }, { "sha256", part.sha256 } });
    return list;
}

std::vector<CheckpointPart> partsOf(const json& manifest)
{
    std::vector<CheckpointPart> parts;
    for (const json& part : manifest.value("averaged", json::array()))
        parts.push_back({ part.value("name", ""), part.value("sha256", "") });
    return parts;
}

/// Also what a killed save left behind.
void removeOthers(const fs::path& folder, const fs::path& saved, size_t kept)
{
    std::set<fs::path> keep { saved };
    for (const fs::path& path : bestCheckpoints(folder, kept))
        keep.insert(path);
    if (const std::optional<fs::path> best = bestCheckpoint(folder))
        keep.insert(*best);
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const fs::path& old = entry.path();
        if (old.filename().string().starts_with("step-") && !keep.contains(old))
            fs::remove_all(old, ignored);
    }
}

/// A save between two epochs repeats what the first one's end has saved.
double metricOf(const Checkpoint& checkpoint, const json& weights, const fs::path& former)
{
    const Result<json> manifest = readCheckpointManifest(former);
    const bool isRepeated = manifest && weightsOf(*manifest) == weights;
    return checkpoint.metric < 0 && isRepeated ? manifest->value("metric", -1.0)
                                               : checkpoint.metric;
}

/// `former`: what it will replace.
Status writeFolder(const fs::path& path, const fs::path& former, const Checkpoint& checkpoint,
    const std::string& best)
{
    std::error_code problem;
    fs::remove_all(path, problem);
    fs::create_directories(path, problem);
    if (problem)
        return Error { "cannot create " + path.string() + ": " + problem.message() };
    json manifest { { "version", kCheckpointVersion },
        { "progress", progressToJson(checkpoint.progress) }, { "best", best },
        { "averaged", partsToJson(checkpoint.averaged) } };
    const std::map<std::string, torch::Tensor>* contents[]
        = { &checkpoint.model, &checkpoint.training };
    for (size_t i = 0; i < 2; ++i) {
        const Status written = model::writeTensorFile(
            path / kCheckpointFiles[i], { *contents[i], { { "format", "pt" } } });
        if (!written)
            return written;
        const Result<json> description = describeFile(path / kCheckpointFiles[i]);
        if (!description)
            return description.error();
        manifest["files"][kCheckpointFiles[i]] = *description;
    }
    manifest["metric"] = metricOf(checkpoint, weightsOf(manifest), former);
    return writeFileAtomically(path / "manifest.json", manifest.dump(1));
}

/// Builds it beside `path` and gives it that name.
Status writeWhole(const fs::path& path, const Checkpoint& checkpoint, const std::string& best)
{
    fs::path temporary = path;
    temporary += ".partial";
    Status done = writeFolder(temporary, path, checkpoint, best);
    if (done)
        done = replaceFolder(temporary, path);
    else {
        std::error_code ignored;
        fs::remove_all(temporary, ignored);
    }
    if (done)
        return done;
    return Error { "checkpoint " + path.string() + " was not saved: " + done.error().message };
}

} // namespace

Result<std::string> saveCheckpoint(
    const fs::path& folder, const Checkpoint& checkpoint, bool best, size_t kept)
{
    for (const fs::path& path : stepFolders(folder))
        putBack(path);
    const std::string name = "step-" + std::to_string(checkpoint.progress.step);
    const std::optional<fs::path> former = bestCheckpoint(folder);
    const std::string bestName = best ? name : former ? former->filename().string() : "";
    if (const Status saved = writeWhole(folder / name, checkpoint, bestName); !saved)
        return saved.error();
    removeOthers(folder, folder / name, kept);
    return name;
}

Status writeCheckpoint(const fs::path& path, const Checkpoint& checkpoint)
{
    return writeWhole(path, checkpoint, "");
}

Result<Checkpoint> loadCheckpoint(const fs::path& path)
{
    const Result<json> manifest = readCheckpointManifest(path);
    if (!manifest)
        return manifest.error();
    const Status whole = verifyFiles(path, *manifest);
    if (!whole)
        return whole.error();
    Result<model::TensorFile> weights = model::readTensorFile(path / kCheckpointFiles[0]);
    if (!weights)
        return weights.error();
    Result<model::TensorFile> training = model::readTensorFile(path / kCheckpointFiles[1]);
    if (!training)
        return training.error();
    try {
        return Checkpoint { .progress = progressFromJson(manifest->at("progress")),
            .model = std::move(weights->tensors),
            .training = std::move(training->tensors),
            .metric = manifest->value("metric", -1.0),
            .averaged = partsOf(*manifest) };
    } catch (const json::exception&) { // a key is missing or of another type
        return damagedManifest(path);
    }
}

Result<CheckpointPart> partOf(const fs::path& path)
{
    const Result<json> manifest = readCheckpointManifest(path);
    if (!manifest)
        return manifest.error();
    const json weights = weightsOf(*manifest);
    return CheckpointPart { path.filename(),
        weights.is_object() ? weights.value("sha256", "") : "" };
}

std::vector<CheckpointPart> averagedIn(const fs::path& path)
{
    const Result<json> manifest = readCheckpointManifest(path);
    return manifest ? partsOf(*manifest) : std::vector<CheckpointPart>();
}

} // namespace earwright::train
