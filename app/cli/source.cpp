#include "app/cli/source.h"

#include "app/cli/supervised.h"
#include "core/train/checkpoint.h"

namespace kymo::cli {

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

} // namespace

Result<Source> sourceOf(const std::string& name)
{
    fs::path path = fs::path(name).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path();
    if (fs::is_regular_file(path) && run::looksLikeCapsule(path))
        return openCapsule(path);
    const bool isCheckpoint = fs::exists(path / "model.safetensors");
    const Result<run::RunFolder> run = isCheckpoint
        ? Result<run::RunFolder>(run::RunFolder { path.parent_path().parent_path() })
        : findRun(name);
    if (!run)
        return run.error();
    if (!run::isRunFolder(run->path))
        return Error { "the checkpoint '" + name
            + "' does not lie in the checkpoints of a run, whose recipe is needed" };
    if (isCheckpoint)
        return Source { *run, path };
    auto checkpoint = train::bestCheckpoint(run->checkpoints());
    if (!checkpoint)
        checkpoint = train::lastCheckpoint(run->checkpoints());
    if (!checkpoint)
        return Error { "the run '" + name + "' has no complete checkpoint yet" };
    return Source { *run, *checkpoint };
}

} // namespace kymo::cli
