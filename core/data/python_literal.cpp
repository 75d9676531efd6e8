#include "core/data/python_literal.h"

#include "core/base/text.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace kymo::data {
namespace {

/// The code point of one UTF-8 character, or its first byte where the bytes are broken.
uint32_t decode(std::string_view character)
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

std::string encode(uint32_t code)
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

/// What Python does not print as itself: controls, separators other than the blank, formats,
/// private use.
bool isEscaped(uint32_t code)
{
    static constexpr std::pair<uint32_t, uint32_t> kRanges[] = { { 0, 0x1F }, { 0x7F, 0xA0 },
        { 0xAD, 0xAD }, { 0x600, 0x605 }, { 0x61C, 0x61C }, { 0x1680, 0x1680 }, { 0x180E, 0x180E },
        { 0x2000, 0x200F }, { 0x2028, 0x202F }, { 0x205F, 0x206F }, { 0x3000, 0x3000 },
        { 0xD800, 0xF8FF }, { 0xFEFF, 0xFEFF }, { 0xFFF0, 0xFFFB }, { 0xE0000, 0x10FFFF } };
    for (const auto& [first, last] : kRanges) {
        if (code >= first && code <= last)
            return true;
    }
    return false;
}

std::string escapeCode(uint32_t code)
{
    char text[16];
    const char* format = code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x";
    std::snprintf(text, sizeof text, format, code);
    return text;
}

std::string escape(const std::string& character, char quote)
{
    if (character == "\\" || character == std::string(1, quote))
        return "\\" + character;
    if (character == "\n")
        return "\\n";
    if (character == "\r")
        return "\\r";
    if (character == "\t")
        return "\\t";
    const uint32_t code = decode(character);
    return isEscaped(code) ? escapeCode(code) : character;
}

/// Digits of \x, \u and \U; 0 for any other letter.
size_t hexDigits(char letter)
{
    return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

/// The text of the escape after a backslash at `at`, which moves behind it.
std::optional<std::string> parseEscape(std::string_view text, size_t& at)
{
    static constexpr std::string_view kLetters = "nrtabfv0\\'\"";
    static constexpr std::string_view kValues("\n\r\t\a\b\f\v\0\\'\"", 11);
    const char letter = text[at++];
    if (const size_t known = kLetters.find(letter); known != std::string_view::npos)
        return std::string(1, kValues[known]);
    const std::string_view digits = text.substr(at, hexDigits(letter));
    uint32_t code = 0;
    const auto [end, status]
        = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.empty() || status != std::errc() || end != digits.data() + digits.size()
        || code > 0x10FFFF)
        return std::nullopt;
    at += digits.size();
    return encode(code);
}

} // namespace

std::string pythonRepr(std::string_view utf8)
{
    const bool hasSingle = utf8.find('\'') != std::string_view::npos;
    const bool hasDouble = utf8.find('"') != std::string_view::npos;
    const char quote = hasSingle && !hasDouble ? '"' : '\'';
    std::string literal(1, quote);
    for (const std::string& character : codePoints(utf8))
        literal += escape(character, quote);
    return literal + quote;
}

std::optional<PythonString> parsePythonString(std::string_view text)
{
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
        return std::nullopt;
    PythonString literal;
    size_t at = 1;
    while (at < text.size() && text[at] != text[0]) {
        const char c = text[at++];
        if (c != '\\') {
            literal.value += c;
            continue;
        }
        if (at >= text.size())
            return std::nullopt;
        std::optional<std::string> escaped = parseEscape(text, at);
        if (!escaped)
            return std::nullopt;
        literal.value += *escaped;
    }
    if (at >= text.size())
        return std::nullopt;
    literal.length = at + 1;
    return literal;
}

} // namespace kymo::data
