#pragma once

#include "core/decode/text_hash.h"

#include <cstdint>
#include <string>
#include <vector>

namespace earwright::decode {

/// What a CTC output does to the words of a beam.
enum class TokenRole {
    Blank,
    Space, ///< ends a word
    WordStart, ///< ends a word and begins the next: a SentencePiece with the word mark before it
    Inside, ///< goes on with a word
};

struct CtcToken {
    TokenRole role = TokenRole::Inside;
    std::string label; ///< as the vocabulary has it
    std::string piece; ///< what it spells: the label without the word mark
    TextHash hash; ///< of the piece
    int32_t length = 0; ///< of the piece, in code points
};

/// The outputs of a CTC model as upstream's searchers read `vocab_list`: with a label that begins
/// with the word mark they are SentencePieces, else the first label equal to the space token
/// separates words; without one all is a single word to upstream.
class CtcVocabulary final {
public:
    CtcVocabulary(const std::vector<std::string>& labels, int64_t blankIndex,
        const std::string& spaceToken = " ", const std::string& wordMark = "▁");

    /// Each label is a word, written as it is, a blank too, and a mark on a letter goes on with it:
    /// Mandarin or Thai with an n-gram of characters, which upstream has nothing for.
    /// SentencePiece's mark by itself is a blank, before a character it is nothing; an empty label
    /// spells nothing. Only for
    /// ctcBeamSearch: ctcPrefixBeamSearch would put blanks between them.
    static CtcVocabulary ofCharacters(const std::vector<std::string>& labels, int64_t blankIndex);

    int32_t size() const { return static_cast<int32_t>(m_tokens.size()); }
    const CtcToken& operator[](int32_t token) const { return m_tokens[static_cast<size_t>(token)]; }
    int32_t blankIndex() const { return m_blankIndex; }
    /// Blanks stand between words: some label ends one.
    bool hasBlanks() const { return m_hasBlanks; }
    bool areCharacters() const { return m_areCharacters; }
    /// Most of what it spells is of scripts without blanks between words.
    bool isUnspaced() const;
    const char* wordSeparator() const { return m_areCharacters ? "" : " "; }

private:
    std::vector<CtcToken> m_tokens;
    int32_t m_blankIndex;
    bool m_hasBlanks = false;
    bool m_areCharacters = false;
};

} // namespace earwright::decode
