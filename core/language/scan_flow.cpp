#include "core/language/scanner.h"

namespace earwright::language {

void Scanner::open(char bracket)
{
    const Collection kind = bracket == '[' ? Collection::FlowList : Collection::FlowMapping;
    const std::string tag = top().valueTag;
    top().hasValue = true;
    m_frames.push_back(makeFrame(kind, top().column, tag));
    ++m_at;
}

/// An open bracket must not swallow the rest of the recipe: a key at the column of the enclosing
/// block ends it.
bool Scanner::looksLikeBlockKey() const
{
    const size_t end = m_text.find_first_of(":,[]{}\n", m_at);
    if (end >= m_text.size() || m_text[end] != ':' || m_at - m_lineBegin > m_frames.back().column)
        return false;
    return end + 1 == m_text.size() || isBlank(m_text[end + 1]) || m_text[end + 1] == '\n';
}

void Scanner::flow()
{
    const size_t depth = m_frames.size();
    while (m_at < m_text.size() && m_frames.size() >= depth) {
        if (isBlank(here())) {
            ++m_at;
        } else if (here() == '\n') {
            passed(m_at);
            m_lineBegin = m_at + 1;
            const size_t first = m_text.find_first_not_of(" \t\r", m_lineBegin);
            m_at = std::min(first, m_text.size());
            if (m_at < m_text.size() && looksLikeBlockKey()) {
                m_frames.resize(depth - 1);
                m_at = m_lineBegin - 1;
            }
        } else {
            passed(m_at);
            flowToken();
        }
    }
}

void Scanner::flowToken()
{
    const char c = here();
    if (c == ']' || c == '}' || c == ',')
        flowEnd(c);
    else if (c == '#' && (isBlank(m_text[m_at - 1]) || m_text[m_at - 1] == '\n'))
        comment();
    else if (c == '!' || c == '&' || c == '*')
        tagOrAnchor();
    else if (c == '[' || c == '{')
        open(c);
    else
        flowWord(m_at, c == '"' || c == '\'' ? quotedEnd() : wordEnd());
}

/// The end of an item or of the collection.
void Scanner::flowEnd(char c)
{
    if (isAtCaret(m_at, m_at))
        place(roleHere(), m_caret, m_caret);
    ++m_at;
    if (c != ',') {
        m_frames.pop_back();
        return;
    }
    ++top().index;
    top().key.clear();
    openValue(top());
}

void Scanner::flowWord(size_t begin, size_t end)
{
    const bool isKey = isMapping(top()) && top().key.empty();
    const bool hasColon = isKey && takeColon(end);
    m_at = hasColon ? m_at : end;
    if (hasColon)
        setKey(m_text.substr(begin, end - begin));
    if (isAtCaret(begin, end)) {
        place(isKey ? Role::Key : Role::Value, begin, end);
    } else if (!hasColon) {
        top().hasValue = !isKey;
    }
}

} // namespace earwright::language
