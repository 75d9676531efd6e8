#pragma once

#include <string_view>
#include <vector>

namespace earwright::data {

/// Where GPT-2's byte-level encoding cuts a text before it merges bytes: contractions ("'s"), and
/// runs of letters, of numbers and of other signs, each with the blank before it; of more white
/// space what stands before that. Together they are the text.
std::vector<std::string_view> bytePairWords(std::string_view text);

} // namespace earwright::data
