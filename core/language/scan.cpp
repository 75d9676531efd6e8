#include "core/language/scanner.h"

namespace earwright::language {

/// The caret stands in white space before `begin`, or at the end of the line.
void Scanner::passed(size_t begin)
{
    if (m_place || m_caret > begin || (m_caret == begin && m_cursor.here() != '\n'))
        return;
    if (m_cursor.isLineStart && !isFlow(m_open.top()) && m_open.top().kind != Collection::BlockList)
        placeAtLineStart(m_cursor.lineBegin);
    else
        place(m_open.roleHere(), m_caret, m_caret);
}

void Scanner::comment()
{
    const size_t begin = m_cursor.at;
    m_cursor.at = m_cursor.lineEnd(m_cursor.at);
    if (!m_place && m_caret > begin && m_caret <= m_cursor.at)
        place(Role::None, m_caret, m_caret);
}

void Scanner::tagOrAnchor()
{
    const size_t begin = m_cursor.at;
    const size_t column = begin - m_cursor.lineBegin;
    const size_t end
        = std::min(m_cursor.text.find_first_of(" \t\r\n,[]{}", m_cursor.at), m_cursor.text.size());
    if (m_cursor.isLineStart && !isFlow(m_open.top()) && m_open.top().kind != Collection::BlockList)
        m_open.closeTo(column, false);
    if (isAtCaret(begin, end) && m_caret > begin && m_cursor.text[begin] == '!')
        place(Role::Tag, begin, end);
    else if (isAtCaret(begin, end))
        place(m_caret == begin ? Role::Value : Role::None, m_caret, m_caret);
    if (m_cursor.text[begin] == '!')
        m_open.top().valueTag = m_cursor.text.substr(begin, end - begin);
    else if (m_cursor.text[begin] == '*')
        m_open.top().hasValue = true;
    m_cursor.at = end;
}

/// A half-typed first key: the lines that follow may still be its siblings.
void Scanner::placeInChild(size_t column, size_t begin, size_t end)
{
    m_open.openMapping(column);
    place(Role::Key, begin, end);
    m_open.close();
}

void Scanner::place(Role role, size_t begin, size_t end)
{
    Place found;
    found.role = role;
    found.frames = m_open.frames();
    found.begin = begin;
    found.end = end;
    found.isFollowedByColon
        = role == Role::Key && m_cursor.at > end && m_cursor.text[m_cursor.at - 1] == ':';
    m_place = std::move(found);
}

/// Only white space stands before the caret: its column says which collection goes on.
void Scanner::placeAtLineStart(size_t lineBegin)
{
    const OpenCollections before = m_open;
    const size_t column = m_caret - std::min(m_caret, lineBegin);
    m_open.closeTo(column, false);
    if (m_open.opensAt(column))
        m_open.openMapping(column);
    const bool isMappingHere
        = m_open.top().kind == Collection::BlockMapping && column == m_open.top().column;
    place(isMappingHere ? Role::Key : Role::None, m_caret, m_caret);
    m_open = before;
}

std::vector<std::string> Place::path() const
{
    std::vector<std::string> keys;
    for (size_t i = 0; i + 1 < frames.size(); ++i) {
        const Frame& frame = frames[i];
        if (!isMapping(frame))
            keys.push_back("[" + std::to_string(frame.index) + "]");
        else if (!frame.key.empty())
            keys.push_back(frame.key);
    }
    return keys;
}

Place scan(std::string_view text, size_t caret)
{
    return Scanner(text, caret).run();
}

} // namespace earwright::language
