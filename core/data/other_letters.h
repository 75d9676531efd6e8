#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace earwright::data {

class TextEncoder;

/// Words of texts, or letters where nothing parts words, that a model cannot write, or only by the
/// bytes of their letters, which it was not trained to.
struct OtherLetters {
    size_t words = 0; ///< that have a letter or sign which no label has
    size_t allWords = 0;
    bool hasBytes = false; ///< it has pieces for bytes: SentencePiece's byte_fallback
    std::string letters = {}; ///< the first few of them: "'é', 'ß', …"
    std::string hint = {}; ///< "; it writes capital letters" where that is all

    bool areMost() const { return 2 * words > allWords; }
    /// "the model cannot write 20 of the 20 words, which have 'a', …; it writes capital letters",
    /// or "the model writes only by bytes 20 of …"; "" where it has all letters.
    std::string text() const;
};

/// Nothing of byte pairs: they write whatever there is.
OtherLetters otherLetters(const std::vector<std::string>& texts, const TextEncoder& encoder);
/// The same of texts that need not be in memory together; each is asked for twice.
OtherLetters otherLetters(
    size_t count, const std::function<std::string(size_t)>& textAt, const TextEncoder& encoder);

} // namespace earwright::data
