#include "core/base/unspaced.h"

#include "core/base/code_point.h"
#include "core/base/look_alike.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <iterator>
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

bool areUnspaced(const std::vector<std::string>& texts)
{
    size_t unspaced = 0;
    size_t all = 0; // a long English word weighs no more than an ideograph
    for (const std::string& text : texts) {
        const bool isWhole = splitAtWhiteSpace(text).size() == 1;
        for (const std::string& unit : unspacedUnits(text)) {
            const uint32_t code = codeOf(codePoints(unit).front());
            unspaced += isUnspaced(code) || (isWhole && isHangulCode(code)) ? 1 : 0;
            ++all;
        }
    }
    return 2 * unspaced > all;
}

std::vector<std::string> unspacedUnits(const std::string& text)
{
    std::vector<std::string> units;
    bool goesOn = false; // the last unit is a word that may become longer
    for (const std::string& cluster : graphemes(text)) {
        const std::string first = codePoints(cluster).front();
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
