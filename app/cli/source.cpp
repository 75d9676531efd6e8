#include "app/cli/source.h"

#include "app/cli/supervised.h"
#include "core/base/no_weights.h"
#include "core/train/weights/average.h"
#include "core/train/weights/checkpoint_folder.h"

namespace earwright::cli {

namespace fs = std::filesystem;

namespace {

Result<Source> openCapsule(const fs::path& file)
{
    Result<run::Capsule> opened = run::Capsule::open(file);
    if (!opened)
        return opened.error();
    const auto capsule = std::make_shared<const run::Capsule>(std::move(*opened));
    return Source { capsule->run(), capsule->checkpoint(), capsule };
}

/// A mean that the run has not got is made beside it: the run may be at work, or not ours.
Result<Source> judged(const run::RunFolder& run)
{
    const Result<plan::Plan> plan = run::readPlan(run);
    if (!plan)
        return plan.error();
    auto scratch = std::make_shared<const TemporaryFolder>("", "earwright-average");
    if (scratch->path().empty())
        return Error { "no temporary folder can be made" };
    const auto checkpoint = train::judgedCheckpoint(
        run.checkpoints(), static_cast<size_t>(plan->options.avgCheckpoints), scratch->path());
    if (!checkpoint)
        return checkpoint.error();
    return Source { run, *checkpoint, {}, std::move(scratch) };
}

/// Of a file that is no capsule, where no run has its name.
Error holdsNoRun(const std::string& name, const fs::path& file)
{
    return Error { "'" + name + "' "
        + (looksLikeSafetensors(file) ? "holds weights alone" : "is no capsule of earwright export")
        + ": name the run or a capsule" };
}

} // namespace

Result<Source> sourceOf(const std::string& name)
{
    std::error_code problem; // a name of no letter
    fs::path path = fs::absolute(name, problem).lexically_normal(); // its run lies two folders up
    if (!path.has_filename())
        path = path.parent_path();
    if (run::looksLikeCapsule(path))
        return openCapsule(path);
    const bool isCheckpoint = fs::exists(path / "model.safetensors");
    const Result<run::RunFolder> run = isCheckpoint
        ? Result<run::RunFolder>(run::RunFolder { path.parent_path().parent_path() })
        : findRun(name);
    if (!run)
        return fs::is_regular_file(path) ? holdsNoRun(name, path) : run.error();
    if (!run::isRunFolder(run->path))
        return Error { "the checkpoint '" + name
            + "' does not lie in the checkpoints of a run, whose recipe is needed" };
    if (isCheckpoint)
        return Source { *run, path };
    if (!train::lastCheckpoint(run->checkpoints()))
        return Error { "the run '" + name + "' has no complete checkpoint" };
    return judged(*run);
}

} // namespace earwright::cli
