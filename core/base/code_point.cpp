#include "core/base/code_point.h"

#include "core/base/each_code_point.h"
#include "core/base/text.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unicode/uchar.h>
#include <utf8proc.h>

namespace earwright {

namespace {

utf8proc_category_t categoryOf(uint32_t code)
{
    return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

int32_t wordBreakOf(uint32_t code)
{
    return u_getIntPropertyValue(static_cast<UChar32>(code), UCHAR_WORD_BREAK);
}

const utf8proc_uint8_t* bytesOf(std::string_view utf8)
{
    return reinterpret_cast<const utf8proc_uint8_t*>(utf8.data());
}

} // namespace

uint32_t codeOf(std::string_view character)
{
    utf8proc_int32_t code = -1;
    utf8proc_iterate(bytesOf(character), static_cast<utf8proc_ssize_t>(character.size()), &code);
    return code < 0 ? static_cast<unsigned char>(character.front()) : static_cast<uint32_t>(code);
}

std::string utf8Of(uint32_t code)
{
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes);
    return { reinterpret_cast<const char*>(bytes), static_cast<size_t>(size) };
}

std::string composed(std::string_view utf8)
{
    utf8proc_uint8_t* bytes = nullptr;
    const utf8proc_ssize_t size
        = utf8proc_map(bytesOf(utf8), static_cast<utf8proc_ssize_t>(utf8.size()), &bytes,
            static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(bytes, &std::free);
    if (size < 0)
        return std::string(utf8);
    return { reinterpret_cast<const char*>(bytes), static_cast<size_t>(size) };
}

bool isLetter(uint32_t code)
{
    switch (categoryOf(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
        return true;
    default:
        return false;
    }
}

bool isCombiningMark(uint32_t code)
{
    switch (categoryOf(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return true;
    default:
        return false;
    }
}

bool isDigit(uint32_t code)
{
    const utf8proc_category_t category = categoryOf(code);
    return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NO;
}

uint32_t smallLetterOf(uint32_t code)
{
    return static_cast<uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

uint32_t capitalOf(uint32_t code)
{
    return static_cast<uint32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(code)));
}

bool isFormatSign(uint32_t code)
{
    return wordBreakOf(code) == U_WB_FORMAT;
}

bool isWordSign(uint32_t code)
{
    return categoryOf(code) == UTF8PROC_CATEGORY_PO && wordBreakOf(code) == U_WB_ALETTER;
}

bool isHebrewLetter(uint32_t code)
{
    return wordBreakOf(code) == U_WB_HEBREW_LETTER;
}

bool isWhiteSpace(std::string_view point)
{
    const auto first = static_cast<unsigned char>(point.front());
    if (first < 0x80) // ICU's answer, without its table
        return first == ' ' || (first >= '\t' && first <= '\r') || (first >= 0x1c && first <= 0x1f);
    const bool isBroken = point.size() == 1;
    return !isBroken && u_isspace(static_cast<UChar32>(codeOf(point))) != 0;
}

size_t displayWidth(std::string_view utf8)
{
    size_t width = 0;
    for (const std::string& character : codePoints(utf8)) {
        const auto code = static_cast<utf8proc_int32_t>(codeOf(character));
        const bool isBroken = character.size() == 1 && code >= 0x80; // shown as one sign
        width += isBroken ? 1 : static_cast<size_t>(utf8proc_charwidth(code));
    }
    return width;
}

std::vector<std::string> splitAtWhiteSpace(std::string_view utf8)
{
    std::vector<std::string> words;
    bool goesOn = false;
    eachCodePoint(utf8, [&](std::string_view point) {
        const bool isBlank = isWhiteSpace(point);
        if (!isBlank && !goesOn)
            words.emplace_back();
        if (!isBlank)
            words.back() += point;
        goesOn = !isBlank;
    });
    return words;
}

std::string oddWhiteSpace(std::string_view utf8)
{
    std::string odd;
    eachCodePoint(utf8, [&odd](std::string_view point) {
        if (!odd.empty() || point == " " || !isWhiteSpace(point))
            return;
        char name[16];
        std::snprintf(name, sizeof name, "U+%04X", codeOf(point));
        odd = point == "\t" ? "a tab" : name;
    });
    if (!odd.empty())
        return odd;
    if (utf8.starts_with(' '))
        return "a blank at its beginning";
    if (utf8.ends_with(' '))
        return "a blank at its end";
    return utf8.find("  ") == std::string_view::npos ? "" : "two blanks in a row";
}

std::vector<std::string> graphemes(std::string_view utf8)
{
    std::vector<std::string> clusters;
    utf8proc_int32_t last = 0;
    utf8proc_int32_t state = 0;
    eachCodePoint(utf8, [&](std::string_view point) {
        const auto code = static_cast<utf8proc_int32_t>(codeOf(point));
        if (clusters.empty() || utf8proc_grapheme_break_stateful(last, code, &state))
            clusters.emplace_back();
        clusters.back() += point;
        last = code;
    });
    return clusters;
}

bool joinsGrapheme(uint32_t code)
{
    switch (utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->boundclass) {
    case UTF8PROC_BOUNDCLASS_EXTEND:
    case UTF8PROC_BOUNDCLASS_SPACINGMARK:
    case UTF8PROC_BOUNDCLASS_ZWJ:
    case UTF8PROC_BOUNDCLASS_V:
    case UTF8PROC_BOUNDCLASS_T:
        return true;
    default:
        return false;
    }
}

} // namespace earwright
