#pragma once

#include <string_view>

namespace earwright::data {

/// What corpora name in brackets where no word is: "vocalized_noise", "questionmark". Small
/// letters, "_" between words.
bool isTagName(std::string_view name);

/// Sounds that stand in parentheses too, where words do as well: "laughter", "笑".
bool isNoise(std::string_view name);

/// What speakers say while they think, behind a percent sign: "hm".
bool isHesitation(std::string_view name);

} // namespace earwright::data
