#pragma once

#include "core/base/file.h"
#include "core/model/tensor_file.h"
#include "core/model/whisper/whisper.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <QtGlobal>
#include <torch/utils.h>

// A small Whisper that writes times.

namespace earwright::tests {

inline constexpr int64_t kStampOfZero = 265; ///< of the cases' tokens, which have none
inline constexpr int64_t kTimedVocabulary = kStampOfZero + 1501;

/// What is likeliest where no time is: a letter or the end.
enum class Says { A, Nothing };

/// The folder of the cases with so many tokens. Whatever was said, a token's output is the first
/// number of its vector: 30 s is the likeliest, then the end where nothing is said, then 0 s,
/// then "A".
inline void makeTimedFolder(
    const std::filesystem::path& folder, int64_t vocabulary, Says says = Says::A)
{
    std::filesystem::create_directories(folder);
    for (const auto& file :
        std::filesystem::directory_iterator(EARWRIGHT_CASES_DIR "/train/whisper"))
        std::filesystem::copy_file(file.path(), folder / file.path().filename());
    auto config = nlohmann::json::parse(*readFile(folder / "config.json"));
    config["vocab_size"] = vocabulary;
    torch::manual_seed(3);
    const model::Whisper whisper(
        catalog::WhisperConfig(), *model::parseWhisperConfig(config.dump()));
    model::TensorFile weights;
    for (const auto& parameter : whisper.named_parameters())
        weights.tensors[parameter.key()] = parameter.value().detach();
    weights.tensors.at("model.decoder.layer_norm.weight").zero_();
    torch::Tensor bias_D = weights.tensors.at("model.decoder.layer_norm.bias").zero_();
    bias_D[0] = 1;
    torch::Tensor outputs_V = weights.tensors.at("model.decoder.embed_tokens.weight").select(1, 0);
    outputs_V.zero_();
    outputs_V[nlohmann::json::parse(*readFile(folder / "vocab.json")).at("A").get<int64_t>()] = 2;
    if (says == Says::Nothing)
        outputs_V[config.at("eos_token_id").get<int64_t>()] = 4;
    if (vocabulary == kTimedVocabulary) {
        outputs_V[kStampOfZero] = 3;
        outputs_V[kTimedVocabulary - 1] = 5;
    }
    if (!writeFileAtomically(folder / "config.json", config.dump())
        || !model::writeTensorFile(folder / "model.safetensors", weights))
        qFatal("no folder");
}

} // namespace earwright::tests
