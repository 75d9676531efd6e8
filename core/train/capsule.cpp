#include "core/train/capsule.h"

#include "core/base/file.h"
#include "core/base/temporary_folder.h"
#include "core/model/drop_masks.h"
#include "core/model/tensor_file.h"
#include "core/run/capsule.h"
#include "core/run/follower.h"
#include "core/run/points_csv.h"
#include "core/train/checkpoint.h"

namespace kymo::train {

namespace {

namespace fs = std::filesystem;

/// Of the run's own folder, what belongs to this machine or is made anew from the events.
bool staysHere(const std::string& name)
{
    return name == "lock.json" || name == "hold" || name == "history.bin" || name == "capsule.json"
        || name.ends_with(".tmp");
}

Status copyInto(const fs::path& from, const fs::path& to)
{
    std::error_code problem;
    fs::create_directories(to.parent_path(), problem);
    fs::copy(from, to, fs::copy_options::recursive, problem);
    if (problem)
        return Error { "cannot copy '" + from.string() + "': " + problem.message() };
    return Done {};
}

Status copyRun(const run::RunFolder& run, const fs::path& to)
{
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(run.path, problem)) {
        const std::string name = entry.path().filename().string();
        const bool isWanted
            = entry.is_regular_file() ? !staysHere(name) : name == "events" || name == "alignments";
        if (!isWanted)
            continue;
        if (const Status copied = copyInto(entry.path(), to / name); !copied)
            return copied;
    }
    if (problem)
        return Error { "cannot read '" + run.path.string() + "': " + problem.message() };
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
    const TemporaryFolder scratch(parent, ".kymo-export");
    if (scratch.path().empty() || !out.has_filename() || fs::is_directory(out))
        return Error { "cannot write '" + out.string() + "': "
            + (fs::is_directory(parent) ? "it is a folder, or its folder takes no files"
                                        : "there is no folder '" + parent.string() + "'") };
    const fs::path folder = scratch.path() / "run";
    const fs::path archive = scratch.path() / out.filename();
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

Status writeWeights(const fs::path& checkpoint, const fs::path& out)
{
    Result<Checkpoint> stored = loadCheckpoint(checkpoint);
    return stored ? writeWeights(std::move(*stored), out) : Status(stored.error());
}

Status writeWeights(Checkpoint checkpoint, const fs::path& out)
{
    model::addDropMasks(checkpoint.model);
    // As `save_file` of safetensors.torch says that the tensors are PyTorch's.
    return model::writeTensorFile(out, { std::move(checkpoint.model), { { "format", "pt" } } });
}

} // namespace kymo::train
