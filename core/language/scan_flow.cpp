#include "core/language/scanner.h"

namespace earwright::language {

void Scanner::flow()
{
    const size_t depth = m_open.depth();
    while (!m_cursor.isAtEnd() && m_open.depth() >= depth) {
        if (isBlank(m_cursor.here())) {
            ++m_cursor.at;
        } else if (m_cursor.here() == '\n') {
            passed(m_cursor.at);
            m_cursor.lineBegin = m_cursor.at + 1;
            const size_t first = m_cursor.text.find_first_not_of(" \t\r", m_cursor.lineBegin);
            m_cursor.at = std::min(first, m_cursor.text.size());
            if (!m_cursor.isAtEnd() && m_cursor.looksLikeBlockKey(m_open.top().column)) {
                m_open.closeDownTo(depth - 1);
                m_cursor.at = m_cursor.lineBegin - 1;
            }
        } else {
            passed(m_cursor.at);
            flowToken();
        }
    }
}

void Scanner::flowToken()
{
    const char c = m_cursor.here();
    if (c == ']' || c == '}' || c == ',')
        flowEnd(c);
    else if (c == '#'
        && (isBlank(m_cursor.text[m_cursor.at - 1]) || m_cursor.text[m_cursor.at - 1] == '\n'))
        comment();
    else if (c == '!' || c == '&' || c == '*')
        tagOrAnchor();
    else if (c == '[' || c == '{')
        m_open.openFlow(m_cursor.take());
    else
        flowWord(m_cursor.at,
            c == '"' || c == '\'' ? m_cursor.quotedEnd() : m_cursor.wordEnd(isFlow(m_open.top())));
}

/// The end of an item or of the collection.
void Scanner::flowEnd(char c)
{
    if (isAtCaret(m_cursor.at, m_cursor.at))
        place(m_open.roleHere(), m_caret, m_caret);
    ++m_cursor.at;
    if (c != ',') {
        m_open.close();
        return;
    }
    m_open.nextFlowItem();
}

void Scanner::flowWord(size_t begin, size_t end)
{
    const bool isKey = isMapping(m_open.top()) && m_open.top().key.empty();
    const bool hasColon = isKey && m_cursor.takeColon(end, isFlow(m_open.top()));
    m_cursor.at = hasColon ? m_cursor.at : end;
    if (hasColon)
        m_open.setKey(m_cursor.text.substr(begin, end - begin));
    if (isAtCaret(begin, end)) {
        place(isKey ? Role::Key : Role::Value, begin, end);
    } else if (!hasColon) {
        m_open.top().hasValue = !isKey;
    }
}

} // namespace earwright::language
