#include "core/train/weights/checkpoint.h"

#include "core/base/file.h"
#include "core/model/tensor_file.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/checkpoint_manifest.h"
#include "core/train/weights/replace_folder.h"

#include <optional>
#include <set>

namespace earwright::train {

namespace fs = std::filesystem;

namespace {

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
double metricOf(const Checkpoint& checkpoint, const FileFacts& weights, const fs::path& former)
{
    const Result<CheckpointManifest> manifest = readCheckpointManifest(former);
    const bool isRepeated = manifest && weightsOf(*manifest) == weights;
    return checkpoint.metric < 0 && isRepeated ? manifest->metric : checkpoint.metric;
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
    CheckpointManifest manifest {
        .progress = checkpoint.progress, .best = best, .averaged = checkpoint.averaged, .files = {}
    };
    const std::map<std::string, torch::Tensor>* contents[]
        = { &checkpoint.model, &checkpoint.training };
    for (size_t i = 0; i < 2; ++i) {
        const Status written = model::writeTensorFile(
            path / kCheckpointFiles[i], { *contents[i], { { "format", "pt" } } });
        if (!written)
            return written;
        const Result<FileFacts> description = describeFile(path / kCheckpointFiles[i]);
        if (!description)
            return description.error();
        manifest.files[kCheckpointFiles[i]] = *description;
    }
    manifest.metric = metricOf(checkpoint, weightsOf(manifest), former);
    return writeFileAtomically(path / "manifest.json", manifestText(manifest));
}

Result<CheckpointManifest> wholeManifest(const fs::path& path)
{
    Result<CheckpointManifest> manifest = readCheckpointManifest(path);
    if (!manifest)
        return manifest;
    const Status whole = verifyFiles(path, *manifest);
    return whole ? std::move(manifest) : whole.error();
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
    Result<CheckpointManifest> manifest = wholeManifest(path);
    if (!manifest)
        return manifest.error();
    Result<model::TensorFile> weights = model::readTensorFile(path / kCheckpointFiles[0]);
    if (!weights)
        return weights.error();
    Result<model::TensorFile> training = model::readTensorFile(path / kCheckpointFiles[1]);
    if (!training)
        return training.error();
    return Checkpoint { .progress = std::move(manifest->progress),
        .model = std::move(weights->tensors),
        .training = std::move(training->tensors),
        .metric = manifest->metric,
        .averaged = std::move(manifest->averaged) };
}

Result<Tensors> loadModel(const fs::path& path)
{
    if (const Result<CheckpointManifest> manifest = wholeManifest(path); !manifest)
        return manifest.error();
    Result<model::TensorFile> weights = model::readTensorFile(path / kCheckpointFiles[0]);
    if (!weights)
        return weights.error();
    return std::move(weights->tensors);
}

Result<CheckpointPart> partOf(const fs::path& path)
{
    const Result<CheckpointManifest> manifest = readCheckpointManifest(path);
    if (!manifest)
        return manifest.error();
    return CheckpointPart { path.filename(), weightsOf(*manifest).sha256 };
}

std::vector<CheckpointPart> averagedIn(const fs::path& path)
{
    const Result<CheckpointManifest> manifest = readCheckpointManifest(path);
    return manifest ? manifest->averaged : std::vector<CheckpointPart>();
}

} // namespace earwright::train
