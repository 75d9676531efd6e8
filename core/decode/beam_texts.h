#pragma once

#include "core/decode/ctc_vocabulary.h"
#include "core/decode/ngram.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace earwright::decode {

/// What the beams of one row spell, each prefix kept once: spellings (a token behind a spelling)
/// and texts (a word behind a text). Beams hold numbers into them; 0 is the empty one of both. Only
/// what survives pruning is put in.
class BeamTexts final {
public:
    struct Spelling {
        int32_t parent = 0;
        int32_t token = -1;
        bool isSpaced = false; ///< a blank stands before the token
        TextHash hash;
        int32_t length = 0; ///< code points
    };
    struct Text {
        int32_t parent = 0;
        int32_t word = 0; ///< the spelling of its last word
        TextHash hash; ///< of the words, blanks between
        double score = 0; ///< nats that the language model gives to the words
        NgramState state;
    };

    /// `scorer` may be null.
    BeamTexts(const CtcVocabulary& vocabulary, const NgramScorer* scorer);

    /// The spelling a token longer.
    int32_t extend(int32_t spelling, int32_t token, bool isSpaced = false);
    /// The text a word longer; without a word the text itself.
    int32_t append(int32_t text, int32_t word);

    const Spelling& spelling(int32_t index) const
    {
        return m_spellings[static_cast<size_t>(index)];
    }
    const Text& text(int32_t index) const { return m_texts[static_cast<size_t>(index)]; }
    /// The hash of a spelling's extension, which extend() would give it.
    TextHash extended(int32_t spelling, int32_t token, bool isSpaced = false) const;

    /// A word that is a blank: where labels are words (CtcVocabulary::ofCharacters).
    bool isBlankWord(int32_t spelling) const;
    std::string spelled(int32_t spelling) const;
    std::vector<std::string> words(int32_t text) const;
    /// A number for the last `count` words of a text.
    uint64_t lastWords(int32_t text, int64_t count) const;
    /// The same for a spelling, cut at its ASCII blanks.
    uint64_t lastSpelledWords(int32_t spelling, int64_t count) const;

private:
    const CtcVocabulary& m_vocabulary;
    const NgramScorer* m_scorer;
    std::vector<Spelling> m_spellings { {} };
    std::vector<Text> m_texts { {} };
    std::unordered_map<uint64_t, int32_t> m_spellingOf; ///< by hash
    std::unordered_map<uint64_t, int32_t> m_textOf;
};

} // namespace earwright::decode
