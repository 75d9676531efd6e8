#include "core/decode/ctc_vocabulary.h"

#include "core/base/code_point.h"
#include "core/base/text.h"
#include "core/base/unspaced.h"

#include <algorithm>

namespace earwright::decode {

CtcVocabulary::CtcVocabulary(const std::vector<std::string>& labels, int64_t blankIndex,
    const std::string& spaceToken, const std::string& wordMark)
    : m_blankIndex(static_cast<int32_t>(blankIndex))
{
    const bool isMarked = std::any_of(labels.begin(), labels.end(),
        [&](const std::string& label) { return label.starts_with(wordMark); });
    const auto space
        = isMarked ? labels.end() : std::find(labels.begin(), labels.end(), spaceToken);
    for (auto label = labels.begin(); label != labels.end(); ++label) {
        CtcToken token { .label = *label, .piece = *label, .hash = {} };
        if (size() == m_blankIndex)
            token.role = TokenRole::Blank;
        else if (isMarked && label->starts_with(wordMark))
            token.role = TokenRole::WordStart;
        else if (label == space)
            token.role = TokenRole::Space;
        if (token.role == TokenRole::WordStart)
            token.piece.erase(0, wordMark.size());
        token.hash = TextHash::of(token.piece);
        token.length = static_cast<int32_t>(codePointCount(token.piece));
        m_hasBlanks |= token.role == TokenRole::WordStart || token.role == TokenRole::Space;
        m_tokens.push_back(std::move(token));
    }
}

CtcVocabulary CtcVocabulary::ofCharacters(
    const std::vector<std::string>& labels, int64_t blankIndex)
{
    static const std::string kMark = "▁";
    std::vector<std::string> written = labels;
    for (std::string& label : written) {
        if (label == kMark)
            label = " ";
        else if (label.starts_with(kMark))
            label.erase(0, kMark.size());
    }
    CtcVocabulary vocabulary(written, blankIndex, "", ""); // every label has the empty mark
    for (CtcToken& token : vocabulary.m_tokens)
        if (token.role == TokenRole::WordStart
            && (token.piece.empty() || joinsGrapheme(codeOf(token.piece))))
            token.role = TokenRole::Inside;
    vocabulary.m_areCharacters = true;
    vocabulary.m_hasBlanks = false;
    return vocabulary;
}

bool CtcVocabulary::isUnspaced() const
{
    const auto begins = [](const CtcToken& token) {
        return !token.piece.empty() && earwright::isUnspaced(codeOf(token.piece));
    };
    return 2 * std::count_if(m_tokens.begin(), m_tokens.end(), begins) > std::ssize(m_tokens);
}

} // namespace earwright::decode
