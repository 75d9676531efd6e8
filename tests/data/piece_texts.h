#pragma once

#include "core/catalog/configs/tokenizer.h"
#include "core/data/sentence_piece.h"
#include "core/data/text_column.h"

#include <QtGlobal>

namespace earwright::tests {

// tests/cases/data/sentence_piece: a text and what the Python package makes of it, with the program
// that asked it.

inline const std::string kCases = EARWRIGHT_CASES_DIR "/data/sentence_piece/";

inline std::vector<std::string> texts()
{
    const auto lines = data::readLines(kCases + "text.txt");
    if (!lines)
        qFatal("%s", lines.error().message.c_str());
    return *lines;
}

inline catalog::SentencePieceConfig bpe()
{
    catalog::SentencePieceConfig config;
    config.modelType = "bpe";
    config.vocabSize = 60;
    return config;
}

inline data::SentencePiece trained(const catalog::SentencePieceConfig& config)
{
    const auto bytes = data::SentencePiece::train(texts(), config);
    if (!bytes)
        qFatal("%s", bytes.error().message.c_str());
    return *data::SentencePiece::parse(*bytes);
}

} // namespace earwright::tests
