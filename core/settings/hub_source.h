#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace earwright::settings {

/// The folder that the `source` of a pretrained encoder means: a folder itself, or an entry
/// "owner/name" of the Hub in its cache layout (models--owner--name/snapshots/…), looked for below
/// savePath, HF_HUB_CACHE, HF_HOME/hub and ~/.cache/huggingface/hub. The error says which files to
/// fetch and where they go; nothing is fetched.
Result<std::filesystem::path> findHubFolder(
    const std::string& source, const std::filesystem::path& savePath);

/// The names of a pretrained encoder among a task's layers: `wav2vec2`, of whatever class.
inline constexpr const char* kPretrainedEncoder = "wav2vec2";

/// That of a resolved recipe where it is an object of a class that Earwright trains; else null.
recipe::NodePtr pretrainedEncoder(const recipe::Node& recipe);

/// Whether nothing of such an object is trained: its `freeze`, or else its class's default.
bool isFrozenEncoder(const recipe::Node& encoder);

/// Samples between two of its frames, by the conv_stride of its config.json; 320, as of all that
/// are published, where that cannot be read.
int64_t samplesPerFrame(const recipe::Node& encoder);

} // namespace earwright::settings
