#pragma once

#include "core/base/names.h"
#include "core/base/result.h"
#include "core/recipe/node.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace earwright::settings {

/// The folder that the `source` of a pretrained encoder means: a folder itself, or an entry
/// "owner/name" of the Hub in its cache layout (models--owner--name/snapshots/…), looked for below
/// savePath, HF_HUB_CACHE, HF_HOME/hub and ~/.cache/huggingface/hub. A tokenizer of BERT may be
/// of an old name without owner. The error says which files of
/// such a model to fetch and where they go; nothing is fetched.
enum class HubKind { Encoder, Whisper, BertTokenizer };
Result<std::filesystem::path> findHubFolder(const std::string& source,
    const std::filesystem::path& savePath, HubKind kind = HubKind::Encoder);

/// What a recipe's `tokenizer` applies where it is BERT's.
inline constexpr const char* kBertTokenizer = "transformers.BertTokenizer.from_pretrained";

/// The names of a pretrained encoder among a task's layers: `wav2vec2`, of whatever class, and
/// `whisper`, of Whisper.
inline constexpr const char* kPretrainedEncoder = "wav2vec2";
inline constexpr const char* kWhisper = "whisper";
const Names& pretrainedKeys();

/// The layer under one of these keys, and the object that it wraps, itself where it adapts none.
struct PretrainedObject {
    std::string key = kPretrainedEncoder;
    recipe::NodePtr object {}; ///< null where the recipe has none
    bool isAdapted = false; ///< AdaptedModel trains what its adapters are
};
/// That of a resolved recipe where it is an object of a class that Earwright trains.
PretrainedObject pretrainedObject(const recipe::Node& recipe);
/// The same where it is an encoder; null where there is none or it is a Whisper with its decoder.
recipe::NodePtr pretrainedEncoder(const recipe::Node& recipe);
/// A Whisper with its decoder; null where there is none.
recipe::NodePtr whisperModel(const recipe::Node& recipe);
bool isWhisper(const recipe::Node& object);

/// Whisper's windows: what its model hears of an utterance.
inline constexpr double kWhisperSeconds = 30;
/// Seconds of an utterance that a recipe's pretrained model hears; none: all.
std::optional<double> heardSeconds(const recipe::Node& recipe);

/// Whether nothing of such an object is trained: its `freeze`, or else its class's default; of
/// Whisper's encoder by itself `freeze_encoder` too.
bool isFrozenEncoder(const recipe::Node& encoder);

/// Samples between two of its frames, by the conv_stride of its config.json; 320, as of all that
/// are published, where that cannot be read.
int64_t samplesPerFrame(const recipe::Node& encoder);

} // namespace earwright::settings
