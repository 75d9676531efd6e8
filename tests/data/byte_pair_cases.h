#pragma once

#include "core/base/file.h"
#include "core/data/byte_pairs.h"

#include <nlohmann/json.hpp>
#include <QTest>

#include <filesystem>
#include <string>

namespace earwright::tests {

/// A tokenizer of Whisper's kind, made for the tests, and what transformers makes of texts with it
/// (write_pairs.py).
inline const std::filesystem::path kBytePairs = EARWRIGHT_CASES_DIR "/data/byte_pairs";

inline nlohmann::json pairsOf(const char* file)
{
    const Result<std::string> text = readFile(kBytePairs / file);
    if (!text)
        qFatal("%s", text.error().message.c_str());
    return nlohmann::json::parse(*text);
}

inline data::BytePairs bytePairs()
{
    Result<data::BytePairs> pairs = data::BytePairs::read(kBytePairs);
    if (!pairs)
        qFatal("%s", pairs.error().message.c_str());
    return *pairs;
}

/// The real model, which lies beside the folder of the recipes; "" where there is none.
inline std::filesystem::path whisperTinyEn()
{
    const std::string recipes = qEnvironmentVariable("EARWRIGHT_RECIPES_DIR").toStdString();
    const std::filesystem::path folder
        = std::filesystem::path(recipes) / ".." / "models" / "whisper-tiny.en";
    return !recipes.empty() && isFile(folder / "tokenizer.json") ? folder : "";
}
inline constexpr const char* kNoWhisper
    = "set EARWRIGHT_RECIPES_DIR to a folder beside which models/whisper-tiny.en lies";

} // namespace earwright::tests
