#include "core/base/unspaced.h"

#include "core/base/code_point.h"
#include "core/base/look_alike.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace earwright {
namespace {

/// Lines of these break between syllables, by rules that ICU has only had since Unicode 15.1.
constexpr UScriptCode kOfSyllables[] = { USCRIPT_TIBETAN, USCRIPT_JAVANESE, USCRIPT_BALINESE };

/// Whether some script that has the code point is one of those wanted; a sign such as ー has two.
template <class Wanted>
bool isOfScript(uint32_t code, Wanted wanted)
{
    std::array<UScriptCode, 32> scripts {};
    UErrorCode error = U_ZERO_ERROR;
    const int32_t count = uscript_getScriptExtensions(
        static_cast<UChar32>(code), scripts.data(), static_cast<int32_t>(scripts.size()), &error);
    return U_SUCCESS(error) && std::any_of(scripts.begin(), scripts.begin() + count, wanted);
}

/// Its first code point.
std::string_view firstOf(std::string_view utf8)
{
    return utf8.substr(0, codePointLength(utf8, 0));
}

bool isHangulCode(uint32_t code)
{
    return isOfScript(code, [](UScriptCode script) { return script == USCRIPT_HANGUL; });
}

} // namespace

bool isUnspaced(uint32_t code)
{
    return isOfScript(code, [](UScriptCode script) {
        return uscript_breaksBetweenLetters(script) != 0
            || std::find(std::begin(kOfSyllables), std::end(kOfSyllables), script)
            != std::end(kOfSyllables);
    });
}

void UnspacedShare::add(const std::string& text)
{
    const size_t words = splitAtWhiteSpace(text).size();
    if (isAscii(text)) { // each word is a unit, and no letter of such a script
        m_all += words;
        return;
    }
    for (const std::string& unit : unspacedUnits(text)) {
        const uint32_t code = codeOf(firstOf(unit));
        m_unspaced += isUnspaced(code) || (words == 1 && isHangulCode(code)) ? 1 : 0;
        ++m_all;
    }
}

bool areUnspaced(const std::vector<std::string>& texts)
{
    UnspacedShare share;
    for (const std::string& text : texts)
        share.add(text);
    return share.isMost();
}

std::vector<std::string> unspacedUnits(const std::string& text)
{
    std::vector<std::string> units;
    bool goesOn = false; // the last unit is a word that may become longer
    for (const std::string& cluster : graphemes(text)) {
        const std::string_view first = firstOf(cluster);
        const uint32_t code = codeOf(first);
        const bool isBlank = isWhiteSpace(first) || isInvisible(code);
        const bool isOfWord = !isBlank && !isUnspaced(code) && !isHangulCode(code);
        if (isOfWord && goesOn)
            units.back() += cluster;
        else if (!isBlank)
            units.push_back(cluster);
        goesOn = isOfWord;
    }
    return units;
}

} // namespace earwright
