#include "core/train/weights/checkpoint_manifest.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"

namespace earwright::train {

namespace fs = std::filesystem;

namespace {

constexpr JsonRange kMetric { -1, std::numeric_limits<double>::max() };
constexpr JsonRange kFromOne { 1, kJsonCount.most };

Progress progressOf(JsonReader reader)
{
    Progress progress;
    reader.require("epoch", progress.epoch, kFromOne);
    reader.require("batches_done", progress.batchesDone, kJsonCount);
    reader.require("step", progress.step, kJsonCount);
    reader.require("best_metric", progress.bestMetric, kMetric);
    reader.require("attempt", progress.attempt, kJsonCount);
    // JSON has no number that is not finite: such a loss is there as null.
    if (reader.isNull("valid_loss"))
        progress.validLoss = std::numeric_limits<double>::quiet_NaN();
    else
        reader.require("valid_loss", progress.validLoss);
    reader.require("schedule", progress.schedule);
    reader("memory_plans", progress.memoryPlans);
    reader("schedule_of", progress.scheduleOf);
    reader("total_steps", progress.totalSteps, kJsonCount);
    if (reader.has("cut")) {
        JsonReader cut = reader.object("cut");
        cut.require("batches_done", progress.cut.batchesDone, kFromOne);
        cut.require("schedule", progress.cut.schedule);
        cut.require("learning_rate", progress.cut.learningRate);
    }
    return progress;
}

std::map<std::string, FileFacts> filesOf(JsonReader reader)
{
    std::map<std::string, FileFacts> files;
    for (const std::string& name : reader.names()) {
        JsonReader file = reader.object(name.c_str());
        file.require("bytes", files[name].bytes, kJsonCount);
        file.require("sha256", files[name].sha256);
    }
    return files;
}

Error damaged(const fs::path& path, const std::string& how)
{
    return Error { "checkpoint " + path.string() + ": manifest.json is damaged: " + how };
}

/// A name in the same folder.
bool isName(const std::string& text)
{
    return text.find('/') == std::string::npos && text != "." && text != "..";
}

nlohmann::json progressToJson(const Progress& progress)
{
    nlohmann::json json { { "epoch", progress.epoch }, { "batches_done", progress.batchesDone },
        { "step", progress.step }, { "best_metric", progress.bestMetric },
        { "attempt", progress.attempt }, { "valid_loss", progress.validLoss },
        { "schedule", progress.schedule }, { "memory_plans", progress.memoryPlans },
        { "schedule_of", progress.scheduleOf }, { "total_steps", progress.totalSteps } };
    if (progress.cut.batchesDone > 0)
        json["cut"] = { { "batches_done", progress.cut.batchesDone },
            { "schedule", progress.cut.schedule }, { "learning_rate", progress.cut.learningRate } };
    return json;
}

} // namespace

bool isWritten(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path / "manifest.json", ignored);
}

Result<CheckpointManifest> readCheckpointManifest(const fs::path& path)
{
    const Result<std::string> text = readFile(path / "manifest.json");
    if (!text)
        return Error { "checkpoint " + path.string()
            + " is not complete: it has no manifest.json" };
    Result<JsonReader> reader = JsonReader::parse(*text);
    if (!reader)
        return damaged(path, reader.error().message);
    int64_t version = 0;
    reader->require("version", version, kFromOne);
    if (version > kCheckpointVersion)
        return Error { "checkpoint " + path.string() + " was written by a newer Earwright (version "
            + std::to_string(version) + "): update Earwright to read it" };
    CheckpointManifest manifest { .progress = progressOf(reader->object("progress")),
        .files = filesOf(reader->object("files")) };
    (*reader)("best", manifest.best);
    (*reader)("metric", manifest.metric, kMetric);
    for (JsonReader& part : reader->objects("averaged")) {
        CheckpointPart& one = manifest.averaged.emplace_back();
        part("name", one.name);
        part("sha256", one.sha256);
    }
    if (const Status whole = reader->status(); !whole)
        return damaged(path, whole.error().message);
    if (manifest.files.empty())
        return damaged(path, "it names no files");
    if (!isName(manifest.best))
        return damaged(path, "'best' is no name of a checkpoint");
    return manifest;
}

std::string manifestText(const CheckpointManifest& manifest)
{
    nlohmann::json text { { "version", kCheckpointVersion },
        { "progress", progressToJson(manifest.progress) }, { "best", manifest.best },
        { "metric", manifest.metric }, { "averaged", nlohmann::json::array() } };
    for (const CheckpointPart& part : manifest.averaged)
        text["averaged"].push_back({ { "name", part.name }, { "sha256", part.sha256 } });
    for (const auto& [name, facts] : manifest.files)
        text["files"][name] = { { "bytes", facts.bytes }, { "sha256", facts.sha256 } };
    return text.dump(1);
}

Result<FileFacts> describeFile(const fs::path& file)
{
    const Result<std::string> sum = sha256HexOfFile(file);
    if (!sum)
        return sum.error();
    std::error_code problem;
    const uintmax_t bytes = fs::file_size(file, problem);
    if (problem)
        return Error { "cannot read '" + file.string() + "': " + problem.message() };
    return FileFacts { static_cast<int64_t>(bytes), *sum };
}

Status verifyFiles(const fs::path& path, const CheckpointManifest& manifest)
{
    for (const char* name : kCheckpointFiles) {
        const Result<FileFacts> found = describeFile(path / name);
        if (!found)
            return found.error();
        const auto written = manifest.files.find(name);
        if (written == manifest.files.end() || *found != written->second)
            return Error { "checkpoint file " + (path / name).string()
                + " is not what was written: its size or checksum differs" };
    }
    return Done {};
}

FileFacts weightsOf(const CheckpointManifest& manifest)
{
    const auto found = manifest.files.find(kCheckpointFiles[0]);
    return found == manifest.files.end() ? FileFacts {} : found->second;
}

} // namespace earwright::train
