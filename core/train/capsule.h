#pragma once

#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/run/run_folder.h"

#include <filesystem>
#include <memory>

namespace kymo::train {

/// A trained model in one file, for another machine: a zip archive, uncompressed, that holds a run
/// folder with recipe, plan, label encoder, events, alignments, metrics.csv (every logged point)
/// and one checkpoint without the state of its optimizer. capsule.json lists the files with size
/// and SHA-256 and names the checkpoint. Unpacked by any program it is a run folder again.

/// Writes it atomically: `out` is replaced by a whole capsule or stays as it was.
Status writeCapsule(const run::RunFolder& run, const std::filesystem::path& checkpoint,
    const std::filesystem::path& out);

/// Whether it is a zip archive, by what the file begins with.
bool looksLikeCapsule(const std::filesystem::path& file);

/// A capsule unpacked in a temporary folder, which goes with the object. Only what capsule.json
/// lists is read, under names that stay inside the folder, and only if size and checksum are right;
/// anything else is an Error that names the file.
class Capsule final {
public:
    static Result<Capsule> open(const std::filesystem::path& file);

    run::RunFolder run() const { return { m_folder->path() }; }
    std::filesystem::path checkpoint() const { return run().checkpoints() / m_checkpoint; }

private:
    Capsule(std::unique_ptr<TemporaryFolder> folder, std::string checkpoint)
        : m_folder(std::move(folder))
        , m_checkpoint(std::move(checkpoint))
    {
    }

    std::unique_ptr<TemporaryFolder> m_folder;
    std::string m_checkpoint;
};

} // namespace kymo::train
