#include "core/data/python_literal.h"

#include "core/base/code_point.h"
#include "core/base/text.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace earwright::data {
namespace {

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
    const uint32_t code = codeOf(character);
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
    const bool isHalfOfAPair = code >= 0xD800 && code < 0xE000; // UTF-16's: no text in UTF-8
    if (digits.empty() || status != std::errc() || end != digits.data() + digits.size()
        || code > 0x10FFFF || isHalfOfAPair)
        return std::nullopt;
    at += digits.size();
    return utf8Of(code);
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

} // namespace earwright::data
