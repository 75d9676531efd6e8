#include "core/data/prepare/normalize.h"

#include "core/base/code_point.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kymo::data {
namespace {

using Codes = std::vector<uint32_t>;

Codes codesOf(std::string_view utf8)
{
    Codes codes;
    for (const std::string& character : codePoints(utf8))
        codes.push_back(codeOf(character));
    return codes;
}

bool isIn(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

/// What is seen, if at all, and never said: soft hyphens, marks of a text's direction, tatweel.
bool isSilent(uint32_t code)
{
    return code == 0xAD || code == 0x640 || code == 0x200E || code == 0x200F || code == 0x2060
        || code == 0xFEFF || isIn(code, 0x202A, 0x202E) || isIn(code, 0x2066, 0x2069);
}

/// Arabic's short vowels, which some write and most do not.
bool isVowelMark(uint32_t code)
{
    return isIn(code, 0x64B, 0x652) || code == 0x670;
}

bool isApostrophe(uint32_t code)
{
    return code == '\'' || code == 0x2019;
}

/// Zero-width: Persian's between the parts of a word, Indic scripts' between letters.
bool isJoiner(uint32_t code)
{
    return code == 0x200C || code == 0x200D;
}

bool isLetterAt(const Codes& codes, size_t at)
{
    return at < codes.size() && isLetter(codes[at]);
}

uint32_t smallAt(const Codes& codes, size_t at, std::string_view language)
{
    const uint32_t code = codes[at];
    const bool isTurkic = language == "tr" || language == "az";
    if (isTurkic && code == 'I')
        return 0x131; // without a dot
    const bool isWordsEnd = at > 0 && isLetterAt(codes, at - 1) && !isLetterAt(codes, at + 1);
    if (code == 0x3A3 && isWordsEnd)
        return 0x3C2; // sigma's form there
    return smallLetterOf(code);
}

Codes withoutSilent(Codes codes, std::string_view language)
{
    const bool isUnvowelled = language == "ar" || language == "fa";
    std::erase_if(codes,
        [&](uint32_t code) { return isSilent(code) || (isUnvowelled && isVowelMark(code)); });
    return codes;
}

} // namespace

std::string normalizeTranscript(std::string_view utf8, std::string_view language)
{
    const Codes codes = withoutSilent(codesOf(composed(utf8)), language);
    std::string text;
    std::string waiting; // what parts letters, written when one follows
    for (size_t i = 0; i < codes.size(); ++i) {
        const bool isInWord = waiting.empty() && !text.empty();
        if (isLetter(codes[i]) || (isInWord && isCombiningMark(codes[i]))) {
            text += (text.empty() ? "" : waiting) + utf8Of(smallAt(codes, i, language));
            waiting.clear();
        } else if (isApostrophe(codes[i]) && waiting.empty()) {
            waiting = "'";
        } else if (isJoiner(codes[i]) && waiting.empty()) {
            waiting = utf8Of(codes[i]);
        } else {
            waiting = " ";
        }
    }
    return text;
}

bool hasDigit(std::string_view utf8)
{
    const Codes codes = codesOf(utf8);
    return std::any_of(codes.begin(), codes.end(), isDigit);
}

} // namespace kymo::data
