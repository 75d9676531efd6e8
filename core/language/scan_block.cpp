#include "core/language/scanner.h"

namespace earwright::language {

void Scanner::line()
{
    m_cursor.lineBegin = m_cursor.at;
    m_cursor.isLineStart = true;
    while (m_cursor.here() == ' ' || m_cursor.here() == '\t')
        ++m_cursor.at;
    if (m_cursor.here() == '\n' || m_cursor.here() == '\r' || m_cursor.here() == '#') {
        blankLine(m_cursor.lineBegin);
    } else {
        if (!m_place && m_caret < m_cursor.at)
            placeAtLineStart(m_cursor.lineBegin);
        dashes();
        blockNodes();
    }
    if (!m_cursor.isAtEnd())
        ++m_cursor.at; // the line break
}

void Scanner::blankLine(size_t lineBegin)
{
    const size_t end = m_cursor.lineEnd(m_cursor.at);
    if (!m_place && m_caret <= end) {
        if (m_cursor.here() == '#' && m_caret > m_cursor.at)
            place(Role::None, m_caret, m_caret);
        else
            placeAtLineStart(lineBegin);
    }
    m_cursor.at = end;
}

void Scanner::dashes()
{
    while (m_cursor.here() == '-' && m_cursor.endsWord(1)) {
        const size_t column = m_cursor.at - m_cursor.lineBegin;
        m_open.closeTo(column, true);
        m_open.openItem(column);
        ++m_cursor.at;
        while (isBlank(m_cursor.here()))
            ++m_cursor.at;
    }
}

/// All that stands on the line behind its dashes.
void Scanner::blockNodes()
{
    while (!m_cursor.isAtEnd() && m_cursor.here() != '\n') {
        if (isBlank(m_cursor.here())) {
            ++m_cursor.at;
            continue;
        }
        passed(m_cursor.at);
        blockToken();
        m_cursor.isLineStart = false;
    }
    passed(m_cursor.at);
}

void Scanner::blockToken()
{
    const char c = m_cursor.here();
    if (c == '#'
        && (m_cursor.at == 0 || isBlank(m_cursor.text[m_cursor.at - 1])
            || m_cursor.text[m_cursor.at - 1] == '\n'))
        return comment();
    if (c == '!' || c == '&' || c == '*')
        return tagOrAnchor();
    if (c == '[' || c == '{') {
        m_open.closeTo(m_cursor.at - m_cursor.lineBegin, false);
        m_open.openFlow(m_cursor.take());
        return flow();
    }
    if ((c == '|' || c == '>') && !m_cursor.isLineStart)
        return blockText();
    const size_t begin = m_cursor.at;
    blockWord(begin,
        c == '"' || c == '\'' ? m_cursor.quotedEnd() : m_cursor.wordEnd(isFlow(m_open.top())));
}

/// "|" and ">": the lines that are indented further than the key are text.
void Scanner::blockText()
{
    const size_t column = m_open.top().column;
    const size_t begin = m_cursor.at;
    m_cursor.at = m_cursor.lineEnd(m_cursor.at);
    while (!m_cursor.isAtEnd()) {
        const size_t first = std::min(
            m_cursor.text.find_first_not_of(" \t\r", m_cursor.at + 1), m_cursor.text.size());
        const bool isEmpty = first == m_cursor.text.size() || m_cursor.text[first] == '\n';
        if (!isEmpty && first - m_cursor.at - 1 <= column)
            break;
        m_cursor.at = m_cursor.lineEnd(first);
    }
    if (isAtCaret(begin, m_cursor.at))
        place(Role::Value, begin, m_cursor.at);
    m_open.top().hasValue = true;
}

void Scanner::blockWord(size_t begin, size_t end)
{
    const size_t column = begin - m_cursor.lineBegin;
    const bool mayBeKey = m_cursor.isLineStart;
    const bool isKey = mayBeKey && m_cursor.takeColon(end, isFlow(m_open.top()));
    m_cursor.at = isKey ? m_cursor.at : end;
    if (mayBeKey)
        m_open.closeTo(column, false);
    if (isKey)
        return blockKey(column, begin, end);
    const bool isSibling = mayBeKey && m_open.top().kind == Collection::BlockMapping
        && column == m_open.top().column;
    const bool mayOpen = mayBeKey && m_open.top().kind == Collection::BlockMapping
        && m_open.opensAt(column) && !m_open.top().valueTag.starts_with("!ref");
    if (isAtCaret(begin, end) && mayOpen)
        return placeInChild(column, begin, end);
    if (isAtCaret(begin, end))
        place(isSibling ? Role::Key : Role::Value, begin, end);
    if (!isSibling)
        m_open.top().hasValue = true;
}

void Scanner::blockKey(size_t column, size_t begin, size_t end)
{
    if (m_open.opensAt(column)) {
        m_open.top().hasValue = true;
        m_open.openMapping(column);
    }
    m_open.setKey(m_cursor.text.substr(begin, end - begin));
    if (isAtCaret(begin, end))
        place(Role::Key, begin, end);
}

} // namespace earwright::language
