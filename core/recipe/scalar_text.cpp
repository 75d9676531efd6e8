#include "core/recipe/scalar_text.h"

#include "core/recipe/tuple.h"

namespace earwright::recipe {
namespace {

bool hasControl(std::string_view text)
{
    return std::any_of(text.begin(), text.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
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
    if (text.empty() || text.front() == ' ' || text.back() == ' ' || hasControl(text)
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
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (c == '\n')
            result += "\\n";
        else if (c == '\t')
            result += "\\t";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            result += std::string("\\x") + "0123456789abcdef"[c >> 4 & 0xf]
                + "0123456789abcdef"[c & 0xf];
        else
            result += c;
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
    return hasControl(node.text) ? doubleQuoted(node.text) : singleQuoted(node.text);
}

} // namespace earwright::recipe
