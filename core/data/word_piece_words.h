#pragma once

#include "core/data/word_pieces.h"

#include <string>
#include <vector>

namespace earwright::data {

/// The words of a text, cleaned, as BertNormalizer and BertPreTokenizer of the tokenizers library
/// (0.23) give them; that knows punctuation, marks and format signs of Unicode 8 alone.
std::vector<std::string> wordsOfBert(const std::string& text, const WordPieceRules& rules);

} // namespace earwright::data
