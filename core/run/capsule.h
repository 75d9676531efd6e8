#pragma once

#include "core/base/result.h"
#include "core/base/temporary_folder.h"
#include "core/run/run_folder.h"

#include <filesystem>
#include <memory>

namespace earwright::run {

/// A trained model in one file, for another machine: a zip archive, uncompressed, that holds a run
/// folder with recipe, plan, label encoder, events, alignments, metrics.csv (every logged point)
/// and one checkpoint without the state of its optimizer (train/weights/capsule.h writes it).
/// capsule.json lists the files with size and SHA-256 and names the checkpoint. Unpacked by any
/// program it is a run folder again, in which capsule.json tells that nothing will ever train
/// there.

/// Packs all files of a folder, below a folder named like `file`, and their list. The error is
/// the reason alone; a part of `file` may be there then.
Status packCapsule(const std::filesystem::path& folder, const std::string& checkpoint,
    const std::filesystem::path& file);

/// Whether it is a zip archive, by what the file begins with, and no safetensors. What is no file
/// (a folder, a pipe) is not opened, and is none.
bool looksLikeCapsule(const std::filesystem::path& file);

/// Whether it is one of earwright export, and not one of torch.save, which writes zip archives too.
bool isCapsuleFile(const std::filesystem::path& file);

/// Whether the run came out of a capsule.
bool isCapsule(const RunFolder& run);

/// A capsule unpacked in a temporary folder, which goes with the object. Only what capsule.json
/// lists is read, under names that stay inside the folder, and only if size and checksum are right;
/// anything else is an Error that names the file.
class Capsule final {
public:
    static Result<Capsule> open(const std::filesystem::path& file);

    /// Its folder is named as the file is.
    RunFolder run() const { return m_run; }
    std::filesystem::path checkpoint() const { return m_run.checkpoints() / m_checkpoint; }

private:
    Capsule(std::unique_ptr<TemporaryFolder> folder, RunFolder run, std::string checkpoint)
        : m_folder(std::move(folder))
        , m_run(std::move(run))
        , m_checkpoint(std::move(checkpoint))
    {
    }

    std::unique_ptr<TemporaryFolder> m_folder;
    RunFolder m_run;
    std::string m_checkpoint;
};

} // namespace earwright::run
