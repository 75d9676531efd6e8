#include "core/settings/text_fix.h"

#include "core/base/text.h"

#include <vector>

namespace earwright::settings {

using recipe::Edit;
using recipe::Fix;
using recipe::Node;
using recipe::Position;

namespace {

bool isIn(const Node& node, const std::string& fileName)
{
    return node.origin == recipe::Origin::Recipe && node.span.begin.line > 0
        && node.span.file == fileName;
}

Fix insertion(const std::string& fileName, Position place, std::string text, std::string title)
{
    return Fix { std::move(title), { Edit { { fileName, place, place }, std::move(text) } } };
}

bool isBlankOrComment(std::string_view line)
{
    const std::string_view word = trim(line);
    return word.empty() || word.front() == '#';
}

/// A text's lines from one on: of a long text with many findings, all lines each time take minutes.
class LinesFrom final {
public:
    LinesFrom(std::string_view text, int number)
        : m_text(text)
        , m_number(number)
    {
        for (int line = 1; line < number && m_begin != kNone; ++line)
            m_begin = after(m_begin);
    }
    bool atEnd() const { return m_begin == kNone; }
    int number() const { return m_number; }
    std::string_view line() const
    {
        return m_text.substr(m_begin, m_text.find('\n', m_begin) - m_begin);
    }
    bool isLast() const { return after(m_begin) == kNone; }
    void next()
    {
        m_begin = after(m_begin);
        ++m_number;
    }

private:
    static constexpr size_t kNone = std::string_view::npos;
    size_t after(size_t begin) const
    {
        const size_t end = m_text.find('\n', begin);
        return end == kNone ? kNone : end + 1;
    }

    std::string_view m_text;
    int m_number;
    size_t m_begin = 0;
};

/// At the last line of the entry that starts here: deeper lines belong to it, trailing blanks and
/// comments do not.
LinesFrom lastOf(LinesFrom lines)
{
    const size_t depth = indentation(lines.line());
    LinesFrom last = lines;
    for (lines.next(); !lines.atEnd(); lines.next()) {
        if (isBlankOrComment(lines.line()))
            continue;
        if (indentation(lines.line()) <= depth)
            break;
        last = lines;
    }
    return last;
}

} // namespace

std::optional<Fix> replaceScalar(
    const Node& scalar, const std::string& fileName, const std::string& text)
{
    if (!isIn(scalar, fileName) || scalar.kind != recipe::Kind::Scalar)
        return {};
    return Fix { "Change to " + text, { Edit { scalar.span, text } } };
}

std::optional<Fix> replaceEntry(
    const recipe::Entry& entry, const std::string& fileName, const std::string& text)
{
    auto fix = replaceScalar(*entry.key, fileName, text);
    const recipe::Span& value = entry.value->span;
    const bool isOneLine = value.file == fileName && value.begin.line == entry.key->span.begin.line;
    if (!fix || !isOneLine)
        return {};
    fix->edits.front().span.end = value.end;
    return fix;
}

std::optional<Fix> addEntry(const Node& mapping, std::string_view recipeText,
    const std::string& fileName, const std::string& entry)
{
    if (mapping.kind != recipe::Kind::Mapping || mapping.entries.empty())
        return {};
    const Node& lastKey = *mapping.entries.back().key;
    const LinesFrom first(recipeText, lastKey.span.begin.line);
    if (!isIn(lastKey, fileName) || first.atEnd())
        return {};
    const std::string title = "Add '" + entry + "'";
    const auto indent = static_cast<size_t>(lastKey.span.begin.column - 1);
    if (indentation(first.line()) != indent) // a flow mapping: {enc: !ref <enc>}
        return insertion(fileName, mapping.entries.front().key->span.begin, entry + ", ", title);
    const LinesFrom last = lastOf(first);
    const std::string line = std::string(indent, ' ') + entry;
    if (last.isLast()) // the file ends without a line break
        return insertion(fileName,
            { last.number(), static_cast<int>(codePointCount(last.line())) + 1 }, "\n" + line,
            title);
    return insertion(fileName, { last.number() + 1, 1 }, line + "\n", title);
}

std::optional<Fix> addFirstEntry(
    const recipe::Entry& empty, const std::string& fileName, const std::string& line)
{
    const Node& value = *empty.value;
    const std::string title = "Add '" + line + "'";
    if (!isIn(*empty.key, fileName) || !isIn(value, fileName))
        return {};
    if (value.kind == recipe::Kind::Mapping && value.entries.empty()) // {}
        return Fix { title, { Edit { value.span, "{" + line + "}" } } };
    if (!recipe::isNull(value) || !value.text.empty())
        return {};
    // Behind the colon, so that a comment on the line stays with it.
    Position place = empty.key->span.end;
    place.column += 1;
    return insertion(fileName, place, " {" + line + "}", title);
}

std::optional<Fix> addFirstLine(
    const Node& root, const std::string& fileName, const std::string& line)
{
    if (root.entries.empty() || !isIn(*root.entries.front().key, fileName))
        return {};
    const Position place = { root.entries.front().key->span.begin.line, 1 };
    return insertion(fileName, place, line + "\n", "Add '" + line + "'");
}

} // namespace earwright::settings
