#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::decode {

/// Nats for each letter (code point, blanks left out) of a phrase.
constexpr double kUsualHotwordWeight = 1.0;

/// A phrase to listen for.
struct Hotword {
    std::string text; ///< words separated by single blanks
    double weight = kUsualHotwordWeight;
};

/// Single blanks between the words, whatever blanks the text has.
std::string squeezed(std::string_view text);

/// No weight is beyond it in either direction: it outweighs any sound, and sums of it stay numbers.
constexpr double kMostHotwordWeight = 1e4;
Status checkHotwordWeight(double weight);

/// One phrase a line, behind a tab its weight; empty lines are passed over, blanks around and
/// between words do not matter, of equal phrases the last one counts. Errors name file and line: a
/// weight that is no number or too large a one, a phrase that is no UTF-8.
Result<std::vector<Hotword>> readHotwords(const std::filesystem::path& file, double usualWeight);

/// Of a phrase that a model cannot write as it stands: whether it could in the other case, or
/// without a number at its end; "" where not.
std::string spellingHint(
    const std::string& phrase, const std::function<bool(const std::string&)>& isSpelled);

} // namespace earwright::decode
