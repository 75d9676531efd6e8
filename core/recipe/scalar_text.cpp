#include "core/recipe/scalar_text.h"

#include "core/base/code_point.h"
#include "core/base/look_alike.h"
#include "core/base/text.h"
#include "core/recipe/tuple.h"

namespace earwright::recipe {
namespace {

/// Nobody would see it, and it might be taken for a mistake where the text is read again.
bool isUnseen(uint32_t code)
{
    return code >= 0x80 && (code < 0xa0 || isInvisible(code) || isOtherBlank(code));
}

bool isControl(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool needsEscapes(std::string_view text)
{
    for (size_t at = 0; at < text.size();) {
        const size_t length = codePointLength(text, at);
        if (isControl(text[at]) || (length > 1 && isUnseen(codeOf(text.substr(at, length)))))
            return true;
        at += length;
    }
    return false;
}

/// "\x07", "\u200b", "\U000e0100"
std::string escaped(uint32_t code)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto [letter, count] = code > 0xffff ? std::pair('U', 8)
        : code > 0xff                          ? std::pair('u', 4)
                                               : std::pair('x', 2);
    std::string text = std::string("\\") + letter;
    for (int digit = count - 1; digit >= 0; --digit)
        text += kDigits[code >> (4 * digit) & 0xf];
    return text;
}

bool canStartPlain(std::string_view text)
{
    constexpr std::string_view kIndicators = ",[]{}#&*!|>'\"%@`";
    if (kIndicators.find(text[0]) != std::string_view::npos || text.starts_with("---")
        || text.starts_with("..."))
        return false;
    const bool isDashOrColon = text[0] == '-' || text[0] == '?' || text[0] == ':';
    return !isDashOrColon || (text.size() > 1 && text[1] != ' ' && text[1] != '\t');
}

bool isSafePlain(std::string_view text, bool isFlow)
{
    if (text.empty() || text.front() == ' ' || text.back() == ' ' || needsEscapes(text)
        || !canStartPlain(text))
        return false;
    if (text.find(": ") != std::string_view::npos || text.back() == ':'
        || text.find(" #") != std::string_view::npos)
        return false;
    // Between brackets yaml-cpp ends a plain scalar at every '?'.
    return !isFlow || text.find_first_of(",[]{}:?") == std::string_view::npos;
}

std::string doubleQuoted(std::string_view text)
{
    std::string result = "\"";
    for (size_t at = 0; at < text.size();) {
        const size_t length = codePointLength(text, at);
        const char c = text[at];
        if (length > 1 && isUnseen(codeOf(text.substr(at, length))))
            result += escaped(codeOf(text.substr(at, length)));
        else if (length > 1)
            result += text.substr(at, length);
        else if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (c == '\n')
            result += "\\n";
        else if (c == '\t')
            result += "\\t";
        else if (isControl(c))
            result += escaped(static_cast<unsigned char>(c));
        else
            result += c;
        at += length;
    }
    return result + '"';
}

std::string singleQuoted(std::string_view text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("''") : std::string(1, c);
    return result + "'";
}

} // namespace

std::string scalarYaml(const Node& node, bool isFlow)
{
    // One spelling of a boolean, the one upstream's dump has.
    if (node.tag.empty() && scalarType(node) == ScalarType::Bool)
        return asBool(node).value_or(false) ? "true" : "false";
    // A block scalar "(1, 2)" is no tuple; quoted it would be.
    if (node.tag.empty() && node.style == ScalarStyle::Block && isTupleText(node.text))
        return "!!str " + singleQuoted(node.text);
    if (node.text.empty() && node.style == ScalarStyle::Plain)
        return node.tag.empty() ? "null" : "";
    if (node.style == ScalarStyle::Plain && isSafePlain(node.text, isFlow))
        return node.text;
    return needsEscapes(node.text) ? doubleQuoted(node.text) : singleQuoted(node.text);
}

} // namespace earwright::recipe
