#include "core/recipe/characters.h"

#include "core/base/code_point.h"
#include "core/base/look_alike.h"
#include "core/base/text.h"

namespace earwright::recipe {
namespace {

/// Of either set, but tabs and line ends.
bool isControl(std::string_view text, size_t at)
{
    const auto c = static_cast<unsigned char>(text[at]);
    const bool isSecondSet
        = c == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0;
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f || isSecondSet;
}

/// U+0085 is a line end of mainframes, a vertical tab or form feed within a line a blank.
std::string insteadOfControl(std::string_view text, size_t at)
{
    constexpr std::string_view kBlanks = " \t\r\n\v\f";
    if (text[at] != '\v' && text[at] != '\f')
        return text.substr(at).starts_with("\xc2\x85") ? "\n" : "";
    const bool isWithin = at > 0 && at + 1 < text.size()
        && kBlanks.find(text[at - 1]) == std::string_view::npos
        && kBlanks.find(text[at + 1]) == std::string_view::npos;
    return isWithin ? " " : "";
}

/// One edit a control character; none where there are many: it is no text then.
std::vector<Edit> controlEdits(const SourceText& source, const std::string& file, size_t begin)
{
    constexpr size_t kMost = 100;
    const std::string_view text = source.text();
    std::vector<Edit> edits;
    size_t length = 0;
    for (size_t at = begin; at < text.size() && edits.size() <= kMost; at += length) {
        length = codePointLength(text, at);
        if (isControl(text, at))
            edits.push_back({ source.span(file, at, at + length), insteadOfControl(text, at) });
    }
    return edits.size() > kMost ? std::vector<Edit>() : edits;
}

Diagnostic controls(const SourceText& source, const std::string& file, size_t at)
{
    const std::string_view text = source.text();
    const std::string instead = insteadOfControl(text, at);
    const std::string name = characterName(codeOf(text.substr(at, codePointLength(text, at))));
    Diagnostic found { Severity::Error, "syntax",
        "a control character stands here, " + name.substr(0, name.find(' '))
            + (instead == "\n"       ? "; write a line break"
                    : instead == " " ? "; write a space"
                                     : "; remove it"),
        source.span(file, at, at + 1), std::nullopt };
    if (std::vector<Edit> edits = controlEdits(source, file, at); !edits.empty())
        found.fix = Fix { "Replace control characters", std::move(edits) };
    return found;
}

} // namespace

std::optional<Diagnostic> checkCharacters(const SourceText& source, const std::string& file)
{
    const std::string_view text = source.text();
    const auto error = [&](size_t at, std::string message) {
        return Diagnostic { Severity::Error, "syntax", std::move(message),
            source.span(file, at, at + 1), std::nullopt };
    };
    size_t length = 0;
    for (size_t at = 0; at < text.size(); at += length) {
        const auto c = static_cast<unsigned char>(text[at]);
        length = codePointLength(text, at);
        if (length == 1 && c >= 0x80)
            return error(at, "not UTF-8 here; save the file as UTF-8");
        if (isControl(text, at))
            return controls(source, file, at);
    }
    return std::nullopt;
}

} // namespace earwright::recipe
