#pragma once

#include "core/data/word_pieces.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace earwright::data {

struct WordPieces::Tables {
    WordPieceRules rules;
    std::vector<std::string> tokens; ///< by index
    std::vector<std::string> spelt; ///< WordPieces::spellings()
    std::unordered_map<std::string, int64_t> indexOf;
    std::vector<std::pair<std::string, int64_t>> special; ///< what is found in a text by its name
    int64_t pad = 0;
    int64_t unknown = 0;
    int64_t begin = 0;
    int64_t end = 0;

    /// Of a word of wordsOfBert().
    void encodeWord(const std::string& word, std::vector<int64_t>& indices) const;
};

} // namespace earwright::data
