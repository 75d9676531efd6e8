#include "core/train/weights/capsule.h"

#include "core/base/file.h"
#include "core/base/temporary_folder.h"
#include "core/data/encoder_recipe.h"
#include "core/model/drop_masks.h"
#include "core/model/tensor_file.h"
#include "core/run/capsule.h"
#include "core/run/follower.h"
#include "core/run/points_csv.h"
#include "core/settings/hub_model.h"
#include "core/train/weights/checkpoint.h"
#include "core/train/weights/kept_files.h"

#include <algorithm>

namespace earwright::train {

namespace {

namespace fs = std::filesystem;

const std::string kLabels = "label_encoder"; ///< among a file's metadata

/// Files of the folder that the recipe names: with kept files in place of others, those.
void addNamed(const recipe::Node& node, const fs::path& folder, std::vector<std::string>& names)
{
    const fs::path file = node.text;
    std::error_code problem; // of folders it may name more, such as that of checkpoints
    if (file.parent_path() == folder && fs::is_regular_file(file, problem))
        names.push_back(file.filename().string());
    for (const recipe::NodePtr& item : node.items)
        addNamed(*item, folder, names);
    for (const recipe::Entry& entry : node.entries)
        addNamed(*entry.value, folder, names);
}

/// Of the run's own folder, what others need; not what belongs to this machine or is made anew from
/// the events. Not all need be there.
Result<std::vector<std::string>> namesToTake(const run::RunFolder& run)
{
    const Result<plan::Plan> plan = run::readPlan(run);
    if (!plan)
        return plan.error();
    std::vector<std::string> names { "recipe.yaml", "resolved.yaml", "plan.json", "versions.json",
        "result.json", "init_param.txt", "initial_weights.txt", "events", "alignments" };
    const fs::path encoder = data::encoderFile(*plan->recipe, run.path);
    names.push_back(encoder.filename().string());
    names.emplace_back(settings::kKeptSource);
    names.insert(names.end(), settings::keptHubFiles().begin(), settings::keptHubFiles().end());
    addNamed(*withKeptFiles(*plan->recipe, run.path), encoder.parent_path(), names);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

Status copyInto(const fs::path& from, const std::string& name, const fs::path& to)
{
    std::error_code problem;
    makeFoldersBelow(to, fs::path(name).parent_path());
    fs::copy(from / name, to / name, fs::copy_options::recursive, problem);
    if (problem)
        return Error { "cannot copy '" + (from / name).string() + "': " + problem.message() };
    return Done {};
}

Status copyRun(const run::RunFolder& run, const fs::path& to)
{
    const auto names = namesToTake(run);
    if (!names)
        return names.error();
    for (const std::string& name : *names) {
        std::error_code problem;
        if (!fs::exists(run.path / name, problem))
            continue;
        if (const Status copied = copyInto(run.path, name, to); !copied)
            return copied;
    }
    return Done {};
}

Status addMetrics(const run::RunFolder& run, const fs::path& to)
{
    run::Follower follower(run);
    if (const auto read = follower.poll(); !read)
        return read.error();
    return writeFileAtomically(to / "metrics.csv", run::pointsAsCsv(follower.snapshot()));
}

/// Its name. Alone and the best: without the optimizer's state nothing can be resumed. With what
/// upstream's classes ask for.
Result<std::string> addCheckpoint(const fs::path& checkpoint, const fs::path& to)
{
    Result<Checkpoint> stored = loadCheckpoint(checkpoint);
    if (!stored)
        return stored.error();
    stored->training.clear();
    model::addDropMasks(stored->model);
    return saveCheckpoint(run::RunFolder { to }.checkpoints(), *stored, true);
}

} // namespace

Status writeCapsule(const run::RunFolder& run, const fs::path& checkpoint, const fs::path& out)
{
    const fs::path parent = out.has_parent_path() ? out.parent_path() : fs::path(".");
    const TemporaryFolder scratch(parent, ".earwright-export");
    if (scratch.path().empty() || !out.has_filename() || fs::is_directory(out))
        return Error { "cannot write '" + out.string() + "': "
            + (fs::is_directory(parent) ? "it is a folder, or its folder takes no files"
                                        : "there is no folder '" + parent.string() + "'") };
    const fs::path folder = scratch.path() / "run";
    const fs::path archive = scratch.path() / out.filename();
    makeFoldersBelow(scratch.path(), folder.filename());
    if (const Status copied = copyRun(run, folder); !copied)
        return copied;
    if (const Status added = addMetrics(run, folder); !added)
        return added;
    const Result<std::string> name = addCheckpoint(checkpoint, folder);
    if (!name)
        return name.error();
    if (const Status written = run::packCapsule(folder, *name, archive); !written)
        return Error { "cannot write '" + out.string() + "': " + written.error().message };
    return publishFile(archive, out);
}

Status writeWeights(const fs::path& checkpoint, const fs::path& out, const std::string& labels)
{
    Result<Checkpoint> stored = loadCheckpoint(checkpoint);
    return stored ? writeWeights(std::move(*stored), out, labels) : Status(stored.error());
}

Status writeWeights(Checkpoint checkpoint, const fs::path& out, const std::string& labels)
{
    model::addDropMasks(checkpoint.model);
    // As `save_file` of safetensors.torch says that the tensors are PyTorch's.
    std::map<std::string, std::string> metadata { { "format", "pt" } };
    if (!labels.empty())
        metadata.emplace(kLabels, labels);
    return model::writeTensorFile(out, { std::move(checkpoint.model), std::move(metadata) });
}

std::string labelsOf(const run::RunFolder& run)
{
    const Result<std::string> text = readFile(run.path / data::kLabelFile);
    return text ? *text : "";
}

std::string labelsOf(const fs::path& weights)
{
    const auto metadata = model::readMetadata(weights);
    const auto labels = metadata.find(kLabels);
    return labels == metadata.end() ? "" : labels->second;
}

} // namespace earwright::train
