#include "core/data/prepare/normalize.h"

#include "core/base/code_point.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace earwright::data {
namespace {

using Codes = std::vector<uint32_t>;

constexpr uint32_t kMiddleDot = 0xB7;
constexpr uint32_t kGeresh = 0x5F3;
constexpr uint32_t kGershayim = 0x5F4;

Codes codesOf(std::string_view utf8)
{
    Codes codes;
    for (const std::string& character : codePoints(utf8))
        codes.push_back(codeOf(character));
    return codes;
}

std::string textOf(const Codes& codes)
{
    std::string text;
    for (const uint32_t code : codes)
        text += utf8Of(code);
    return text;
}

bool isIn(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

/// What is seen, if at all, and never said: soft hyphens, marks of a text's direction, tatweel.
bool isSilent(uint32_t code)
{
    return code == 0x640 || isFormatSign(code);
}

/// Arabic's short vowels, which some write and most do not.
bool isVowelMark(uint32_t code)
{
    return isIn(code, 0x64B, 0x652) || code == 0x670;
}

/// What is typed for one: quotes, accents by themselves, Ukrainian's letter of that shape (U+02BC),
/// Armenian's own, geresh.
bool isLikeApostrophe(uint32_t code)
{
    return code == '\'' || code == '`' || code == 0xB4 || code == 0x2BC || code == 0x2018
        || code == 0x2019 || code == 0x201B || code == 0xFF07 || code == 0x55A || code == kGeresh;
}

/// Gershayim as it should be, and as it is typed.
bool isLikeGershayim(uint32_t code)
{
    return code == kGershayim || code == '"' || code == 0x201C || code == 0x201D || code == 0x201E
        || code == 0x2033;
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

bool isMarkAt(const Codes& codes, size_t at)
{
    return at < codes.size() && isCombiningMark(codes[at]);
}

bool isAnyAt(const Codes& codes, size_t at, std::string_view letters)
{
    return at < codes.size() && codes[at] < 0x80
        && letters.find(static_cast<char>(codes[at])) != std::string_view::npos;
}

/// Uzbek's o‘ and g‘, at a word's end too, with the comma as it should be (U+02BB) or as it is
/// typed.
bool isUzbekComma(const Codes& codes, size_t at, std::string_view language)
{
    return language == "uz" && (codes[at] == 0x2BB || isLikeApostrophe(codes[at])) && at > 0
        && isAnyAt(codes, at - 1, "oOgG");
}

bool isBehindHebrew(const Codes& codes, size_t at)
{
    while (at > 0 && isCombiningMark(codes[at - 1]))
        --at;
    return at > 0 && isHebrewLetter(codes[at - 1]);
}

/// Hebrew's ג׳, at a word's end too. There a quote that closes one opened before the word is none.
bool isGeresh(const Codes& codes, size_t at)
{
    if (!isLikeApostrophe(codes[at]) || !isBehindHebrew(codes, at))
        return false;
    const auto isOfWord
        = [&](size_t place) { return isLetterAt(codes, place) || isMarkAt(codes, place); };
    size_t begin = at;
    while (begin > 0 && isOfWord(begin - 1))
        --begin;
    const bool isQuoted
        = begin > 0 && isLikeApostrophe(codes[begin - 1]) && (begin == 1 || !isOfWord(begin - 2));
    return codes[at] == kGeresh || !isQuoted;
}

/// Hebrew's acronyms: רשב״י.
bool isGershayimAt(const Codes& codes, size_t at)
{
    return isLikeGershayim(codes[at]) && isBehindHebrew(codes, at) && at + 1 < codes.size()
        && isHebrewLetter(codes[at + 1]);
}

bool isApostropheAt(const Codes& codes, size_t at, std::string_view language)
{
    return (isLikeApostrophe(codes[at]) && isLetterAt(codes, at + 1)) || isGeresh(codes, at)
        || isUzbekComma(codes, at, language);
}

/// Stands on or within a word and is not said: Armenian's marks of stress, question and
/// abbreviation, the points between syllables.
bool isAccentSign(uint32_t code)
{
    constexpr uint32_t kArmenianAbbreviation = 0x55F;
    constexpr uint32_t kHyphenationPoint = 0x2027;
    return code == kArmenianAbbreviation || code == kHyphenationPoint
        || (isWordSign(code) && !isLikeApostrophe(code));
}

/// Catalan's l·l.
bool isMiddleDotAt(const Codes& codes, size_t at)
{
    return codes[at] == kMiddleDot && at > 0 && isAnyAt(codes, at - 1, "lL")
        && isAnyAt(codes, at + 1, "lL");
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

/// What stands in the transcript for the code point there; 0 where it parts words.
uint32_t keptAt(const Codes& codes, size_t at, bool isInWord, std::string_view language)
{
    const uint32_t code = codes[at];
    if (isInWord && isApostropheAt(codes, at, language))
        return '\'';
    if (isInWord && isGershayimAt(codes, at))
        return kGershayim;
    const bool isJoint = isJoiner(code) && (isLetterAt(codes, at + 1) || isMarkAt(codes, at + 1));
    if (isInWord && (isCombiningMark(code) || isJoint || isMiddleDotAt(codes, at)))
        return code;
    return isLetter(code) ? smallAt(codes, at, language) : 0;
}

Codes withoutSilent(Codes codes, std::string_view language)
{
    const bool isUnvowelled = language == "ar" || language == "fa";
    std::erase_if(codes, [&](uint32_t code) {
        return isSilent(code) || isAccentSign(code) || (isUnvowelled && isVowelMark(code));
    });
    return codes;
}

} // namespace

std::string normalizeTranscript(std::string_view utf8, std::string_view language)
{
    // What is silent may stand between a letter and its accent.
    const Codes codes = codesOf(composed(textOf(withoutSilent(codesOf(utf8), language))));
    Codes words;
    bool isParted = false;
    for (size_t i = 0; i < codes.size(); ++i) {
        const uint32_t kept = keptAt(codes, i, !words.empty() && !isParted, language);
        if (kept != 0 && isParted && !words.empty())
            words.push_back(' ');
        if (kept != 0)
            words.push_back(kept);
        isParted = kept == 0;
    }
    return composed(textOf(words)); // as small letters some compose that as capitals do not: J̌
}

bool hasDigit(std::string_view utf8)
{
    const Codes codes = codesOf(utf8);
    return std::any_of(codes.begin(), codes.end(), isDigit);
}

} // namespace earwright::data
