#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace earwright::data {

class TextEncoder;

/// Words of texts, or letters where nothing parts words, that a model cannot write.
struct OtherLetters {
    size_t words = 0; ///< that have a letter or sign which no label has
    size_t allWords = 0;
    std::string letters = {}; ///< the first few of them: "'é', 'ß', …"
    std::string hint = {}; ///< "; it writes capital letters" where that is all

    bool areMost() const { return 2 * words > allWords; }
    /// "the model cannot write 20 of the 20 words, which have 'a', …; it writes capital letters";
    /// "" where it can write all.
    std::string text() const;
};

OtherLetters otherLetters(const std::vector<std::string>& texts, const TextEncoder& encoder);

} // namespace earwright::data
