#pragma once

#include "core/base/result.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

/// manifest.json, the last file of a checkpoint that is written. Of the checkpoints' own files
/// only.
namespace earwright::train {

constexpr int kCheckpointVersion = 1;
constexpr std::array kCheckpointFiles { "model.safetensors", "training.safetensors" };

/// Whether a folder has its manifest, and so had all else when it was written.
bool isWritten(const std::filesystem::path& checkpoint);

/// An error where there is none, where it is damaged or a newer Earwright's. What it has:
/// "version", "files" and "progress", each of its type.
Result<nlohmann::json> readCheckpointManifest(const std::filesystem::path& checkpoint);

/// What the manifest says of a file: size and SHA-256.
Result<nlohmann::json> describeFile(const std::filesystem::path& file);

/// Whether the checkpoint's files are those that the manifest describes.
Status verifyFiles(const std::filesystem::path& checkpoint, const nlohmann::json& manifest);

/// The manifest's entry of its weights; null where it has none.
nlohmann::json weightsOf(const nlohmann::json& manifest);

Error damagedManifest(const std::filesystem::path& checkpoint);

} // namespace earwright::train
