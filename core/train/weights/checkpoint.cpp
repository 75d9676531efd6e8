#include "core/train/weights/checkpoint.h"

#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"
#include "core/model/tensor_file.h"
#include "core/train/weights/replace_folder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace kymo::train {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kVersion = 1;
const char* const kFiles[] = { "model.safetensors", "training.safetensors" };

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

Result<json> describe(const fs::path& file)
{
    const Result<std::string> bytes = readFile(file);
    if (!bytes)
        return bytes.error();
    return json { { "bytes", bytes->size() }, { "sha256", sha256Hex(*bytes) } };
}

Error damaged(const fs::path& path)
{
    return Error { "checkpoint " + path.string() + ": manifest.json is damaged" };
}

Result<json> readManifestFile(const fs::path& path)
{
    const Result<std::string> text = readFile(path / "manifest.json");
    if (!text)
        return Error { "checkpoint " + path.string()
            + " is not complete: it has no manifest.json" };
    const json manifest = parseShallow<json>(*text);
    const auto has = [&](const char* key, auto isOfType) {
        return manifest.is_object() && manifest.contains(key) && isOfType(manifest.at(key));
    };
    const auto isMapping = [](const json& value) { return value.is_object(); };
    if (!has("version", [](const json& value) { return value.is_number_integer(); }))
        return damaged(path);
    if (manifest.at("version").get<int>() > kVersion)
        return Error { "checkpoint " + path.string() + " was written by a newer Kymo (version "
            + std::to_string(manifest.at("version").get<int>()) + "): update Kymo to read it" };
    if (!has("files", isMapping) || !has("progress", isMapping))
        return damaged(path);
    return manifest;
}

Status verify(const fs::path& path, const json& manifest)
{
    for (const char* name : kFiles) {
        const Result<json> found = describe(path / name);
        if (!found)
            return found.error();
        if (*found != manifest.at("files").value(name, json()))
            return Error { "checkpoint file " + (path / name).string()
                + " is not what was written: its size or checksum differs" };
    }
    return Done {};
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

/// The manifest's entry of its weights; null where it has none.
json weightsOf(const json& manifest)
{
    return manifest.value("files", json::object()).value(kFiles[0], json());
}

/// "step-12" and "step-12.old" -> 12; -1 for any other name, "step-12.partial" too.
int64_t stepOf(const fs::path& path)
{
    const std::string name = withoutAside(path).filename().string();
    constexpr std::string_view kPrefix = "step-";
    int64_t step = -1;
    const char* const end = name.data() + name.size();
    if (!name.starts_with(kPrefix)
        || std::from_chars(name.data() + kPrefix.size(), end, step).ptr != end)
        return -1;
    return step;
}

bool isNewer(const fs::path& a, const fs::path& b)
{
    return stepOf(a) > stepOf(b);
}

bool isWritten(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path / "manifest.json", ignored);
}

/// The newest first.
std::vector<fs::path> stepFolders(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const fs::path& path = entry.path();
        if (stepOf(path) >= 0 && isWritten(path) && (withoutAside(path) == path || standsIn(path)))
            found.push_back(path);
    }
    std::sort(found.begin(), found.end(), isNewer);
    return found;
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
    const Result<json> manifest = readManifestFile(former);
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
    json manifest { { "version", kVersion }, { "progress", progressToJson(checkpoint.progress) },
        { "best", best }, { "averaged", partsToJson(checkpoint.averaged) } };
    const std::map<std::string, torch::Tensor>* contents[]
        = { &checkpoint.model, &checkpoint.training };
    for (size_t i = 0; i < 2; ++i) {
        const Status written
            = model::writeTensorFile(path / kFiles[i], { *contents[i], { { "format", "pt" } } });
        if (!written)
            return written;
        const Result<json> description = describe(path / kFiles[i]);
        if (!description)
            return description.error();
        manifest["files"][kFiles[i]] = *description;
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
    const Result<json> manifest = readManifestFile(path);
    if (!manifest)
        return manifest.error();
    const Status whole = verify(path, *manifest);
    if (!whole)
        return whole.error();
    Result<model::TensorFile> weights = model::readTensorFile(path / kFiles[0]);
    if (!weights)
        return weights.error();
    Result<model::TensorFile> training = model::readTensorFile(path / kFiles[1]);
    if (!training)
        return training.error();
    try {
        return Checkpoint { .progress = progressFromJson(manifest->at("progress")),
            .model = std::move(weights->tensors),
            .training = std::move(training->tensors),
            .metric = manifest->value("metric", -1.0),
            .averaged = partsOf(*manifest) };
    } catch (const json::exception&) { // a key is missing or of another type
        return damaged(path);
    }
}

std::vector<fs::path> completeCheckpoints(const fs::path& folder)
{
    std::vector<fs::path> found;
    for (const fs::path& path : stepFolders(folder)) {
        const Result<json> manifest = readManifestFile(path);
        if (manifest && verify(path, *manifest))
            found.push_back(path);
    }
    return found;
}

std::optional<fs::path> lastCheckpoint(const fs::path& folder)
{
    for (const fs::path& path : stepFolders(folder)) {
        const Result<json> manifest = readManifestFile(path);
        if (manifest && verify(path, *manifest))
            return path;
    }
    return {};
}

std::optional<fs::path> bestCheckpoint(const fs::path& folder)
{
    for (const fs::path& path : stepFolders(folder)) {
        const Result<json> manifest = readManifestFile(path);
        const std::string best = manifest ? manifest->value("best", "") : "";
        if (best.empty())
            continue;
        for (const fs::path& found : { folder / best, asideOf(folder / best) }) {
            if (isWritten(found))
                return found;
        }
    }
    return {};
}

std::vector<fs::path> bestCheckpoints(const fs::path& folder, size_t count)
{
    std::vector<std::pair<double, fs::path>> found; // the newest first
    for (const fs::path& path : stepFolders(folder)) {
        if (const Result<json> manifest = readManifestFile(path))
            found.emplace_back(manifest->value("metric", -1.0), path);
    }
    const auto isValidated = [](const auto& one) { return one.first >= 0; };
    if (std::any_of(found.begin(), found.end(), isValidated))
        std::erase_if(found, [&](const auto& one) { return !isValidated(one); });
    std::stable_sort(
        found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<fs::path> best;
    for (size_t i = 0; i < std::min(count, found.size()); ++i)
        best.push_back(found[i].second);
    std::sort(best.begin(), best.end(), isNewer);
    return best;
}

Result<CheckpointPart> partOf(const fs::path& path)
{
    const Result<json> manifest = readManifestFile(path);
    if (!manifest)
        return manifest.error();
    const json weights = weightsOf(*manifest);
    return CheckpointPart { path.filename(),
        weights.is_object() ? weights.value("sha256", "") : "" };
}

std::vector<CheckpointPart> averagedIn(const fs::path& path)
{
    const Result<json> manifest = readManifestFile(path);
    return manifest ? partsOf(*manifest) : std::vector<CheckpointPart>();
}

} // namespace kymo::train
