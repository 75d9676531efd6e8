#include "core/base/look_alike.h"

#include "core/base/code_point.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>
#include <vector>

namespace earwright {

namespace {

constexpr uint32_t kBrailleBlank = 0x2800; // a symbol to Unicode, drawn as a blank

UChar32 pointOf(uint32_t code)
{
    return static_cast<UChar32>(code);
}

/// Made once; a checker that nobody changes may be asked by any thread.
const USpoofChecker* checker()
{
    UErrorCode status = U_ZERO_ERROR;
    static const std::unique_ptr<USpoofChecker, decltype(&uspoof_close)> made(
        uspoof_open(&status), &uspoof_close);
    return made.get();
}

std::u16string compatible(const std::u16string& text)
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* const form = unorm2_getNFKCInstance(&status);
    std::u16string result(text.size() * 18 + 1, u'\0'); // no form is longer (UAX #15)
    const int32_t size = unorm2_normalize(form, text.data(), static_cast<int32_t>(text.size()),
        result.data(), static_cast<int32_t>(result.size()), &status);
    if (U_FAILURE(status))
        return text;
    result.resize(static_cast<size_t>(size));
    return result;
}

std::u16string utf16Of(std::string_view utf8)
{
    std::u16string text(utf8.size(), u'\0');
    int32_t size = 0;
    UErrorCode status = U_ZERO_ERROR;
    u_strFromUTF8(text.data(), static_cast<int32_t>(text.size()), &size, utf8.data(),
        static_cast<int32_t>(utf8.size()), &status);
    text.resize(U_FAILURE(status) ? 0 : static_cast<size_t>(size));
    return text;
}

} // namespace

bool isAscii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

bool isInvisible(uint32_t code)
{
    return u_hasBinaryProperty(pointOf(code), UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
}

bool isOtherBlank(uint32_t code)
{
    return code >= 0x80
        && (u_hasBinaryProperty(pointOf(code), UCHAR_WHITE_SPACE) != 0 || code == kBrailleBlank);
}

bool isOfOtherScript(uint32_t code)
{
    if (code < 0x80)
        return false;
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(pointOf(code), &status);
    const bool isOther = script != USCRIPT_LATIN && script != USCRIPT_COMMON
        && script != USCRIPT_INHERITED && script != USCRIPT_UNKNOWN;
    return (isOther && u_isalpha(pointOf(code)) != 0)
        || u_hasBinaryProperty(pointOf(code), UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
}

std::string characterName(uint32_t code)
{
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string digits;
    for (uint32_t rest = code; rest > 0 || digits.size() < 4; rest /= 16)
        digits.insert(digits.begin(), kDigits[rest % 16]);
    std::array<char, 128> name {};
    UErrorCode status = U_ZERO_ERROR;
    u_charName(pointOf(code), U_EXTENDED_CHAR_NAME, name.data(), static_cast<int32_t>(name.size()),
        &status);
    return "U+" + digits + (U_FAILURE(status) ? "" : " (" + std::string(name.data()) + ")");
}

std::string lookOf(std::string_view utf8)
{
    const std::u16string text = compatible(utf16Of(utf8));
    std::u16string look(text.size() * 18 + 1, u'\0'); // a skeleton of one letter may be a sentence
    UErrorCode status = U_ZERO_ERROR;
    const int32_t size = uspoof_getSkeleton(checker(), 0, text.data(),
        static_cast<int32_t>(text.size()), look.data(), static_cast<int32_t>(look.size()), &status);
    if (U_FAILURE(status))
        return std::string(utf8);
    look.resize(static_cast<size_t>(size));
    std::string result(look.size() * 3, '\0');
    int32_t bytes = 0;
    status = U_ZERO_ERROR;
    u_strToUTF8(
        result.data(), static_cast<int32_t>(result.size()), &bytes, look.data(), size, &status);
    result.resize(U_FAILURE(status) ? 0 : static_cast<size_t>(bytes));
    return result;
}

std::string lookAlikeIn(std::string_view utf8, std::string_view ascii)
{
    if (isAscii(utf8) || !isAscii(ascii) || lookOf(utf8) != lookOf(ascii))
        return "";
    for (const std::string& point : codePoints(utf8)) {
        if (point.size() > 1)
            return characterName(codeOf(point));
    }
    return "";
}

} // namespace earwright
