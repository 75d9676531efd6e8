#pragma once

#include "core/train/weights/checkpoint.h"

#include <array>
#include <filesystem>
#include <map>

/// manifest.json, the last file of a checkpoint that is written. Of the checkpoints' own files
/// only.
namespace earwright::train {

constexpr int64_t kCheckpointVersion = 1;
constexpr std::array kCheckpointFiles { "model.safetensors", "training.safetensors" };

/// What is said of a file.
struct FileFacts {
    int64_t bytes = 0;
    std::string sha256;
    bool operator==(const FileFacts&) const = default;
};

struct CheckpointManifest {
    Progress progress;
    std::string best; ///< "step-400": the best checkpoint when it was written; "" = none
    double metric = -1; ///< of its validation; -1 = none
    std::vector<CheckpointPart> averaged;
    std::map<std::string, FileFacts> files; ///< by name; a missing one is not whole
};

/// Whether a folder has its manifest, and so had all else when it was written.
bool isWritten(const std::filesystem::path& checkpoint);

/// An error where there is none, where it is damaged or a newer Earwright's. Every number is in
/// the range that it can have.
Result<CheckpointManifest> readCheckpointManifest(const std::filesystem::path& checkpoint);

std::string manifestText(const CheckpointManifest& manifest);

Result<FileFacts> describeFile(const std::filesystem::path& file);

/// Whether the checkpoint's files are those that the manifest describes.
Status verifyFiles(const std::filesystem::path& checkpoint, const CheckpointManifest& manifest);

/// What the manifest says of the weights.
FileFacts weightsOf(const CheckpointManifest& manifest);

} // namespace earwright::train
