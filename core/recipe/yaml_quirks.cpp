#include "core/recipe/yaml_quirks.h"

#include "core/base/text.h"

namespace earwright::recipe {
namespace {

/// What may follow a tag or an anchor.
bool isSpaceOrFlow(char c)
{
    return std::string_view(" \t\r\n,]}").find(c) != std::string_view::npos;
}

} // namespace

std::string writtenTag(const std::string& tag)
{
    constexpr std::string_view kCore = "tag:yaml.org,2002:";
    if (tag == "?" || tag == "!" || tag == "!!" || tag == kCore)
        return "";
    return tag.starts_with(kCore) ? "!!" + tag.substr(kCore.size()) : tag;
}

ScalarStyle styleAt(std::string_view text, size_t content)
{
    const char first = content < text.size() ? text[content] : ' ';
    if (first == '\'' || first == '"')
        return ScalarStyle::Quoted;
    return first == '|' || first == '>' ? ScalarStyle::Block : ScalarStyle::Plain;
}

std::string_view nullWord(std::string_view text, size_t at, bool awaitsKey)
{
    for (const std::string_view word : { "~", "null", "Null", "NULL" }) {
        if (text.substr(at).starts_with(word)) {
            const size_t next = text.find_first_not_of(" \t", at + word.size());
            const bool isKey = next != std::string_view::npos && text[next] == ':';
            return isKey && !awaitsKey ? "" : word;
        }
    }
    return "";
}

std::string lostTag(std::string_view text, size_t begin, const Properties& properties)
{
    if (properties.content < text.size())
        return "";
    for (const std::string& word :
        splitAtBlanks(text.substr(begin, properties.end - begin), " \t\r\n")) {
        if (word.starts_with("!<") && word.ends_with('>'))
            return word.substr(2, word.size() - 3);
        if (word.starts_with('!'))
            return word;
    }
    return "";
}

std::optional<SyntaxError> gluedTag(
    std::string_view text, size_t begin, size_t end, const std::string& tag)
{
    if (tag.size() < 2 || tag[0] != '!')
        return std::nullopt;
    const size_t at = text.find(tag, begin);
    const size_t after = at + tag.size();
    const bool isVerbatim = at > 0 && at < text.size() && text[at - 1] == '<';
    const bool isGlued = !isVerbatim && after < end && !isSpaceOrFlow(text[after]);
    return isGlued ? std::optional(SyntaxError { after, "no space after the tag" }) : std::nullopt;
}

std::string wholeEscapes(const std::string& value)
{
    std::string text;
    for (size_t at = 0; at < value.size();) {
        const size_t length = codePointLength(value, at);
        const bool isLatin = length == 1 && (value[at] == '\x85' || value[at] == '\xa0');
        text.append(isLatin ? "\xc2" : "").append(value, at, length);
        at += length;
    }
    return text;
}

} // namespace earwright::recipe
