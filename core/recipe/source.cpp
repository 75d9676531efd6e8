#include "core/recipe/source.h"

#include "core/base/text.h"

#include <algorithm>

namespace earwright::recipe {
namespace {

constexpr size_t kBlock = 64;

bool isPointBegin(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t skipSpace(std::string_view text, size_t at)
{
    while (at < text.size() && isSpace(text[at]))
        ++at;
    return at;
}

size_t skipLine(std::string_view text, size_t at)
{
    return std::min(text.find('\n', at), text.size());
}

size_t skipSpaceAndComments(std::string_view text, size_t at)
{
    at = skipSpace(text, at);
    while (at < text.size() && text[at] == '#' && at > 0 && isSpace(text[at - 1]))
        at = skipSpace(text, skipLine(text, at));
    return at;
}

/// Lines indented at least as far as the first one with text belong to the block.
size_t blockEnd(std::string_view text, size_t begin)
{
    size_t end = skipLine(text, begin);
    size_t indent = 0;
    for (size_t line = end; line < text.size(); line = skipLine(text, line + 1)) {
        const size_t first = std::min(text.find_first_not_of(' ', line + 1), text.size());
        if (first == text.size() || text[first] == '\n' || text[first] == '\r')
            continue;
        const size_t width = first - line - 1;
        indent = indent == 0 ? width : indent;
        if (width == 0 || width < indent)
            break;
        end = skipLine(text, first);
    }
    return end;
}

/// A plain scalar has no escapes: source and value differ in nothing but white space (folded
/// lines).
size_t plainEnd(std::string_view text, size_t begin, std::string_view value)
{
    size_t at = begin;
    for (const char c : value) {
        if (isSpace(c))
            continue;
        at = skipSpace(text, at);
        if (at >= text.size() || text[at] != c)
            return at;
        ++at;
    }
    return at;
}

} // namespace

SourceText::SourceText(std::string_view text)
    : m_text(text)
    , m_lineBegins { text.starts_with("\xef\xbb\xbf") ? size_t { 3 } : 0 }
{
    // The first line begins after a byte order mark.
    size_t points = 0;
    for (size_t at = 0; at < text.size(); ++at) {
        if (at % kBlock == 0)
            m_pointsBefore.push_back(points);
        points += isPointBegin(text[at]) ? 1 : 0;
        if (text[at] == '\n')
            m_lineBegins.push_back(at + 1);
    }
    m_pointsBefore.push_back(points);
}

size_t SourceText::pointsBefore(size_t offset) const
{
    const size_t block = offset / kBlock;
    const std::string_view rest = m_text.substr(block * kBlock, offset - block * kBlock);
    return m_pointsBefore[block]
        + static_cast<size_t>(std::count_if(rest.begin(), rest.end(), isPointBegin));
}

std::string_view SourceText::line(int number) const
{
    if (number < 1 || number > lineCount())
        return {};
    const size_t begin = lineBegin(number);
    const size_t end = number < lineCount() ? lineBegin(number + 1) - 1 : m_text.size();
    std::string_view line = m_text.substr(begin, end - begin);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

Position SourceText::position(size_t offset) const
{
    offset = std::clamp(offset, m_lineBegins.front(), m_text.size());
    const auto next = std::upper_bound(m_lineBegins.begin(), m_lineBegins.end(), offset);
    const size_t begin = *(next - 1);
    const size_t column = pointsBefore(offset) - pointsBefore(begin) + 1;
    return { static_cast<int>(next - m_lineBegins.begin()), static_cast<int>(column) };
}

size_t SourceText::offset(Position position) const
{
    if (position.line < 1)
        return m_lineBegins.front();
    if (position.line > lineCount())
        return m_text.size();
    const size_t begin = lineBegin(position.line);
    const size_t end = begin + line(position.line).size();
    if (position.column <= 1)
        return begin;
    // How many code points stand before it: the last block with no more before it holds it.
    const size_t wanted = pointsBefore(begin) + static_cast<size_t>(position.column - 1);
    const auto block = std::upper_bound(m_pointsBefore.begin(), m_pointsBefore.end(), wanted) - 1;
    size_t points = *block;
    size_t at = static_cast<size_t>(block - m_pointsBefore.begin()) * kBlock;
    while (at < end && (!isPointBegin(m_text[at]) || points++ < wanted))
        ++at;
    return std::clamp(at, begin, end);
}

Span SourceText::span(const std::string& file, size_t begin, size_t end) const
{
    return { file, position(begin), position(std::max(begin, end)) };
}

Properties skipProperties(std::string_view text, size_t begin)
{
    Properties properties { begin, skipSpaceAndComments(text, begin) };
    for (size_t at = properties.content; at < text.size() && (text[at] == '!' || text[at] == '&');
         at = properties.content) {
        const bool isVerbatim = text.substr(at, 2) == "!<";
        const size_t end = text.find_first_of(isVerbatim ? ">" : " \t\r\n,[]{}", at + 1);
        properties.end = std::min(
            end == std::string_view::npos ? end : end + (isVerbatim ? 1 : 0), text.size());
        properties.content = skipSpaceAndComments(text, properties.end);
    }
    return properties;
}

std::optional<size_t> quotedEnd(std::string_view text, size_t begin)
{
    const char quote = text[begin];
    for (size_t at = begin + 1; at < text.size(); ++at) {
        if (quote == '"' && text[at] == '\\')
            ++at;
        else if (quote == '\'' && text.substr(at, 2) == "''")
            ++at;
        else if (text[at] == quote)
            return at + 1;
    }
    return std::nullopt;
}

size_t scalarEnd(std::string_view text, size_t content, std::string_view value)
{
    if (content >= text.size())
        return text.size();
    if (text[content] == '\'' || text[content] == '"')
        return quotedEnd(text, content).value_or(text.size());
    if (text[content] == '|' || text[content] == '>')
        return trim(value).empty() ? skipLine(text, content) : blockEnd(text, content);
    return plainEnd(text, content, value);
}

size_t flowEnd(std::string_view text, size_t at, char closer)
{
    while (at < text.size() && text[at] != closer)
        at = text[at] == '#' ? skipLine(text, at) : at + 1;
    return std::min(at + 1, text.size());
}

} // namespace earwright::recipe
