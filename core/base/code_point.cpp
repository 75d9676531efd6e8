#include "core/base/code_point.h"

#include <algorithm>
#include <clocale>
#include <iterator>
#include <wctype.h>

namespace kymo {
namespace {

/// The zeros of the scripts of U+0080 to U+FFFF; each one's other digits follow it.
constexpr uint32_t kZeros[] = { 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6,
    0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0,
    0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50,
    0xABF0, 0xFF10 };

/// The process's own locale is C, which knows ASCII alone.
locale_t unicode()
{
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
}

bool isAsciiLetter(uint32_t code)
{
    return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

} // namespace

uint32_t codeOf(std::string_view character)
{
    const auto byte
        = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(character[i])); };
    switch (character.size()) {
    case 2:
        return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
        return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    case 4:
        return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6
            | (byte(3) & 0x3F);
    default:
        return byte(0);
    }
}

std::string utf8Of(uint32_t code)
{
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80)
        return { static_cast<char>(code) };
    if (code < 0x800)
        return { static_cast<char>(0xC0 | code >> 6), tail(0) };
    if (code < 0x10000)
        return { static_cast<char>(0xE0 | code >> 12), tail(6), tail(0) };
    return { static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0) };
}

bool isLetter(uint32_t code)
{
    if (code < 0x80 || unicode() == nullptr)
        return code >= 0x80 || isAsciiLetter(code);
    return iswalpha_l(code, unicode()) != 0 && !isDigit(code); // the C library's alpha has digits
}

bool isCombiningMark(uint32_t code)
{
    if (code < 0x80 || unicode() == nullptr)
        return false;
    static const wctype_t combining = wctype_l("combining", unicode());
    return combining != 0 && iswctype_l(code, combining, unicode()) != 0;
}

bool isDigit(uint32_t code)
{
    return (code >= '0' && code <= '9')
        || std::any_of(std::begin(kZeros), std::end(kZeros),
            [&](uint32_t zero) { return code >= zero && code <= zero + 9; });
}

uint32_t smallLetterOf(uint32_t code)
{
    if (code < 0x80 || unicode() == nullptr)
        return isAsciiLetter(code) ? code | 0x20 : code;
    return towlower_l(code, unicode());
}

} // namespace kymo
