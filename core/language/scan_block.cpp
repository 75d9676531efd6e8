#include "core/language/scanner.h"

namespace earwright::language {

void Scanner::line()
{
    m_lineBegin = m_at;
    m_isLineStart = true;
    while (here() == ' ' || here() == '\t')
        ++m_at;
    if (here() == '\n' || here() == '\r' || here() == '#') {
        blankLine(m_lineBegin);
    } else {
        if (!m_place && m_caret < m_at)
            placeAtLineStart(m_lineBegin);
        dashes();
        blockNodes();
    }
    if (m_at < m_text.size())
        ++m_at; // the line break
}

void Scanner::blankLine(size_t lineBegin)
{
    const size_t end = std::min(m_text.find('\n', m_at), m_text.size());
    if (!m_place && m_caret <= end) {
        if (here() == '#' && m_caret > m_at)
            place(Role::None, m_caret, m_caret);
        else
            placeAtLineStart(lineBegin);
    }
    m_at = end;
}

/// Block collections deeper than the column are closed; a list at its key's own column is closed by
/// the next key.
void Scanner::closeTo(size_t column, bool isDash)
{
    while (m_frames.size() > 1
        && (top().column > column
            || (top().column == column && !isDash && top().kind == Collection::BlockList)))
        m_frames.pop_back();
}

void Scanner::dashes()
{
    while (here() == '-' && endsWord(1)) {
        const size_t column = m_at - m_lineBegin;
        closeTo(column, true);
        if (top().kind == Collection::BlockList && top().column == column) {
            ++top().index;
        } else {
            top().hasValue = true;
            m_frames.push_back(makeFrame(Collection::BlockList, column, top().valueTag));
        }
        openValue(top());
        ++m_at;
        while (isBlank(here()))
            ++m_at;
    }
}

/// All that stands on the line behind its dashes.
void Scanner::blockNodes()
{
    while (m_at < m_text.size() && here() != '\n') {
        if (isBlank(here())) {
            ++m_at;
            continue;
        }
        passed(m_at);
        blockToken();
        m_isLineStart = false;
    }
    passed(m_at);
}

void Scanner::blockToken()
{
    const char c = here();
    if (c == '#' && (m_at == 0 || isBlank(m_text[m_at - 1]) || m_text[m_at - 1] == '\n'))
        return comment();
    if (c == '!' || c == '&' || c == '*')
        return tagOrAnchor();
    if (c == '[' || c == '{') {
        closeTo(m_at - m_lineBegin, false);
        open(c);
        return flow();
    }
    if ((c == '|' || c == '>') && !m_isLineStart)
        return blockText();
    const size_t begin = m_at;
    blockWord(begin, c == '"' || c == '\'' ? quotedEnd() : wordEnd());
}

/// "|" and ">": the lines that are indented further than the key are text.
void Scanner::blockText()
{
    const size_t column = top().column;
    const size_t begin = m_at;
    m_at = std::min(m_text.find('\n', m_at), m_text.size());
    while (m_at < m_text.size()) {
        const size_t first = std::min(m_text.find_first_not_of(" \t\r", m_at + 1), m_text.size());
        const bool isEmpty = first == m_text.size() || m_text[first] == '\n';
        if (!isEmpty && first - m_at - 1 <= column)
            break;
        m_at = std::min(m_text.find('\n', first), m_text.size());
    }
    if (isAtCaret(begin, m_at))
        place(Role::Value, begin, m_at);
    top().hasValue = true;
}

void Scanner::blockWord(size_t begin, size_t end)
{
    const size_t column = begin - m_lineBegin;
    const bool mayBeKey = m_isLineStart;
    const bool isKey = mayBeKey && takeColon(end);
    m_at = isKey ? m_at : end;
    if (mayBeKey)
        closeTo(column, false);
    if (isKey)
        return blockKey(column, begin, end);
    const bool isSibling
        = mayBeKey && top().kind == Collection::BlockMapping && column == top().column;
    const bool mayOpen = mayBeKey && top().kind == Collection::BlockMapping && opensAt(column)
        && !top().valueTag.starts_with("!ref");
    if (isAtCaret(begin, end) && mayOpen)
        return placeInChild(column, begin, end);
    if (isAtCaret(begin, end))
        place(isSibling ? Role::Key : Role::Value, begin, end);
    if (!isSibling)
        top().hasValue = true;
}

/// The value of the open entry may be a block mapping at this column.
bool Scanner::opensAt(size_t column)
{
    const bool hasEntry = top().kind == Collection::BlockList || !top().key.empty();
    return column > top().column && !top().hasValue && hasEntry;
}

void Scanner::blockKey(size_t column, size_t begin, size_t end)
{
    if (opensAt(column)) {
        top().hasValue = true;
        m_frames.push_back(
            makeFrame(Collection::BlockMapping, column, top().valueTag, top().childKeys));
    }
    setKey(m_text.substr(begin, end - begin));
    if (isAtCaret(begin, end))
        place(Role::Key, begin, end);
}

} // namespace earwright::language
