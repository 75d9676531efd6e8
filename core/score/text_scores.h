#pragma once

#include "core/score/error_rate.h"

#include <string>
#include <vector>

namespace earwright::score {

/// What was said in an utterance, and what was recognised.
struct TextPair {
    std::string id;
    std::string reference;
    std::string hypothesis;
};

/// The edits of a set of texts, in two units.
struct TextScores {
    std::vector<Scored> byWord;
    std::vector<Scored>
        byCharacter; ///< by unspacedUnits() (base/unspaced.h) where there are no words
    /// The WER counts; else the CER, as nothing parts words in the references (areUnspaced()).
    bool haveWords = true;
};

TextScores scoreTexts(const std::vector<TextPair>& pairs, WordSplit split);

} // namespace earwright::score
