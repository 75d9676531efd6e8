#include "core/recipe/syntax.h"

#include "core/base/code_point.h"
#include "core/base/look_alike.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>

namespace earwright::recipe {
namespace {

/// What was open where yaml-cpp stopped, found by a light scan of our own: it reads no structure,
/// only brackets and quotes.
struct OpenAt {
    std::vector<size_t> brackets;
    std::optional<size_t> quote; ///< begin of a quoted text that ends on a later line, or never
};

bool isAtTokenStart(std::string_view text, size_t at)
{
    const std::string_view before = text.substr(0, at);
    const size_t last = before.find_last_not_of(" \t");
    if (last == std::string_view::npos
        || std::string_view("\n:,[{-?").find(before[last]) != std::string_view::npos)
        return true;
    // What is longer is no tag: one word may be the whole text, with a quote in every place.
    constexpr size_t kLongestTag = 1000;
    const size_t from = last + 1 - std::min(last + 1, kLongestTag);
    const size_t blank = before.substr(from, last + 1 - from).find_last_of(" \t\n");
    if (blank == std::string_view::npos && from > 0)
        return false;
    const size_t word = blank == std::string_view::npos ? 0 : from + blank + 1;
    return before[word] == '!' || before[word] == '&';
}

OpenAt scanUntil(const SourceText& source, size_t offset)
{
    const std::string_view text = source.text();
    const int lastLine = source.position(offset).line;
    OpenAt open;
    for (size_t at = 0; at < text.size() && source.position(at).line <= lastLine; ++at) {
        const char c = text[at];
        if (c == '#' && (at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1])))) {
            at = std::min(text.find('\n', at), text.size());
        } else if ((c == '"' || c == '\'') && isAtTokenStart(text, at)) {
            const size_t end = scalarEnd(text, at, "");
            if (text.substr(at, end - at).find('\n') != std::string_view::npos && end >= offset)
                open.quote = at;
            at = end - 1;
        } else if ((c == '[' || c == '{') && (!open.brackets.empty() || isAtTokenStart(text, at))) {
            open.brackets.push_back(at);
        } else if ((c == ']' || c == '}') && !open.brackets.empty() && at < offset) {
            open.brackets.pop_back();
        }
    }
    return open;
}

class Explainer final {
public:
    Explainer(const SourceText& source, const std::string& file, const SyntaxError& error)
        : m_source(source)
        , m_file(file)
        , m_reason(error.reason)
        , m_offset(std::min(error.offset, source.text().size()))
        , m_line(source.position(m_offset).line)
    {
    }

    Diagnostic explain() const
    {
        for (const auto attempt : { &Explainer::gluedTag, &Explainer::tab,
                 &Explainer::spanningQuote, &Explainer::bracket, &Explainer::missingSpace,
                 &Explainer::secondDocument, &Explainer::alias, &Explainer::reservedCharacter,
                 &Explainer::noColon, &Explainer::twoColons, &Explainer::indentation }) {
            if (auto diagnostic = (this->*attempt)())
                return *diagnostic;
        }
        return at(m_offset, m_offset + 1, "cannot read this: " + m_reason);
    }

private:
    Diagnostic at(size_t begin, size_t end, std::string message) const
    {
        return { Severity::Error, "syntax", std::move(message), m_source.span(m_file, begin, end),
            std::nullopt };
    }
    bool says(std::string_view words) const { return m_reason.find(words) != std::string::npos; }
    size_t indent(int line) const
    {
        return std::min(m_source.line(line).find_first_not_of(" \t"), m_source.line(line).size());
    }
    /// The nearest line above that holds more than a comment, or 0.
    int lineAbove(int line) const
    {
        while (--line >= 1) {
            const std::string_view text = trim(m_source.line(line));
            if (!text.empty() && text[0] != '#')
                return line;
        }
        return 0;
    }
    /// Spaces that fit a line below this one: as many, or a step more where it opens a block
    /// ("model:").
    size_t indentBelow(int line) const
    {
        constexpr size_t kStep = 4;
        if (line == 0)
            return 0;
        return indent(line) + (trim(m_source.line(line)).ends_with(':') ? kStep : 0);
    }
    Diagnostic onLine(int line, std::string message) const
    {
        const size_t begin = m_source.lineBegin(line) + indent(line);
        return at(begin, m_source.lineBegin(line) + m_source.line(line).size(), std::move(message));
    }

    std::string neitherNor(int line) const
    {
        return inQuotes(trim(m_source.line(line))) + " is neither 'key: value' nor part of a list";
    }

    std::optional<Diagnostic> tab() const;
    std::optional<Diagnostic> spanningQuote() const;
    std::optional<Diagnostic> bracket() const;
    std::optional<Diagnostic> missingSpace() const;
    std::optional<Diagnostic> gluedTag() const;
    std::optional<Diagnostic> secondDocument() const;
    std::optional<Diagnostic> alias() const;
    std::optional<Diagnostic> reservedCharacter() const;
    std::optional<Diagnostic> noColon() const;
    std::optional<Diagnostic> twoColons() const;
    std::optional<Diagnostic> indentation() const;

    const SourceText& m_source;
    const std::string& m_file;
    const std::string& m_reason;
    size_t m_offset;
    int m_line;
};

std::optional<Diagnostic> Explainer::tab() const
{
    for (const int line : { m_line, m_line - 1, m_line + 1 }) {
        const size_t width = indent(line);
        const std::string_view white = m_source.line(line).substr(0, width);
        if (white.find('\t') == std::string_view::npos || width == m_source.line(line).size())
            continue;
        const size_t begin = m_source.lineBegin(line);
        Diagnostic found
            = at(begin, begin + width, "a tab indents this line; YAML is indented by spaces only");
        const std::string spaces(indentBelow(lineAbove(line)), ' ');
        found.fix = Fix { "Replace the tab by spaces", { { found.span, spaces } } };
        return found;
    }
    return std::nullopt;
}

std::optional<Diagnostic> Explainer::spanningQuote() const
{
    const auto quote
        = says("quote not closed") ? std::optional(m_offset) : scanUntil(m_source, m_offset).quote;
    if (!quote)
        return std::nullopt;
    const std::string mark(1, m_source.text()[*quote]);
    return at(*quote, *quote + 1, "the quote opened here is not closed on its line; add " + mark);
}

std::optional<Diagnostic> Explainer::bracket() const
{
    const std::vector<size_t> open = scanUntil(m_source, m_offset).brackets;
    // In a text of nothing but "[1" yaml-cpp takes the bracket's content for a key.
    const bool isEndMissing = says("flow not found") || (says("lone key") && !open.empty());
    if (!isEndMissing && !says("illegal flow end"))
        return std::nullopt;
    if (open.empty())
        return at(m_offset, m_offset + 1, "this bracket closes nothing; remove it");
    const size_t begin = isEndMissing ? open.front() : open.back();
    const std::string closer = m_source.text()[begin] == '[' ? "]" : "}";
    return at(begin, begin + 1, "the bracket opened here is not closed; add " + closer);
}

/// "lr:0.1" is one word to YAML.
std::optional<Diagnostic> Explainer::missingSpace() const
{
    for (const int line : { m_line, lineAbove(m_line) }) {
        const std::string_view text = m_source.line(line);
        const size_t name = indent(line);
        const size_t end = std::min(text.find_first_of(": \t#'\"[{!", name), text.size());
        const bool hasValue = end + 1 < text.size() && text[end] == ':'
            && std::string_view(" \t/:").find(text[end + 1]) == std::string_view::npos;
        if (end == name || !hasValue)
            continue;
        const size_t after = m_source.lineBegin(line) + end + 1;
        Diagnostic found = at(after - 1, after, "a space is missing after ':'");
        found.fix = Fix { "Insert a space", { { m_source.span(m_file, after, after), " " } } };
        return found;
    }
    return std::nullopt;
}

std::optional<Diagnostic> Explainer::gluedTag() const
{
    if (!says("no space after the tag"))
        return std::nullopt;
    const std::string_view text = m_source.text();
    if (const size_t length = codePointLength(text, m_offset); length > 1)
        return at(m_offset, m_offset + length,
            characterName(codeOf(text.substr(m_offset, length)))
                + " stands in a tag, whose letters are ASCII; write one of these");
    Diagnostic found = at(m_offset, m_offset + 1, "a space is missing after the tag");
    found.fix = Fix { "Insert a space", { { m_source.span(m_file, m_offset, m_offset), " " } } };
    return found;
}

std::optional<Diagnostic> Explainer::secondDocument() const
{
    if (!says("second document"))
        return std::nullopt;
    return at(m_offset, m_offset + 3,
        "the file goes on after its end: a recipe is one document, a mapping of keys to values");
}

std::optional<Diagnostic> Explainer::alias() const
{
    if (says("alias not found"))
        return at(m_offset - 1, m_offset, "a value that begins with '*' wants quotes");
    if (!says("anchor is not defined"))
        return std::nullopt;
    const std::string_view text = m_source.text();
    const size_t end = std::min(text.find_first_of(" \t\r\n,[]{}", m_offset), text.size());
    const std::string name(text.substr(m_offset, end - m_offset).substr(1));
    return at(m_offset, end,
        "no anchor '&" + name
            + "' stands above this alias; a value that begins with '*' wants quotes");
}

std::optional<Diagnostic> Explainer::reservedCharacter() const
{
    if (!says("unknown token"))
        return std::nullopt;
    return at(m_offset, m_offset + 1,
        "a value cannot begin with '" + std::string(m_source.text().substr(m_offset, 1))
            + "'; put it in quotes");
}

/// A line without ':' makes yaml-cpp stop at the ':' of the next one.
std::optional<Diagnostic> Explainer::noColon() const
{
    if (says("lone key"))
        return onLine(m_line, neitherNor(m_line));
    const int line = lineAbove(m_line);
    if (!says("illegal map value") || line == 0 || indent(line) != indent(m_line))
        return std::nullopt;
    const std::string_view text = trim(m_source.line(line));
    if (text.find(':') != std::string_view::npos || text.starts_with("- "))
        return std::nullopt;
    return onLine(line, neitherNor(line));
}

std::optional<Diagnostic> Explainer::twoColons() const
{
    const std::string_view line = m_source.line(m_line);
    const size_t first = line.find(": ");
    const bool isSecond
        = first != std::string_view::npos && m_source.lineBegin(m_line) + first < m_offset;
    if (!says("illegal map value") || !isSecond)
        return std::nullopt;
    return onLine(m_line, "a value that holds ': ' wants quotes");
}

std::optional<Diagnostic> Explainer::indentation() const
{
    if (m_offset > m_source.lineBegin(m_line) + indent(m_line) && says("end of map"))
        return at(m_offset, m_offset + 1, "nothing may follow a complete value on its line");
    if (says("illegal map value") && lineAbove(m_line) > 0
        && indent(m_line) > indent(lineAbove(m_line))) {
        return onLine(
            m_line, "this line is indented deeper than the one above, which already has a value");
    }
    if (says("end of map") || says("end of sequence") || says("illegal map value"))
        return onLine(m_line, "this line's indentation fits no line above it");
    return std::nullopt;
}

} // namespace

Diagnostic explainSyntax(
    const SourceText& source, const std::string& file, const SyntaxError& error)
{
    return Explainer(source, file, error).explain();
}

} // namespace earwright::recipe
