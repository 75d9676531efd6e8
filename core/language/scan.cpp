#include "core/language/scanner.h"

namespace earwright::language {

bool isFlow(const Frame& frame)
{
    return frame.kind == Collection::FlowMapping || frame.kind == Collection::FlowList;
}

bool isMapping(const Frame& frame)
{
    return frame.kind == Collection::BlockMapping || frame.kind == Collection::FlowMapping;
}

Frame makeFrame(Collection kind, size_t column, std::string tag, Frame::Keys keys)
{
    Frame frame;
    frame.kind = kind;
    frame.column = column;
    frame.tag = std::move(tag);
    frame.keys = keys ? std::move(keys) : std::make_shared<std::vector<std::string>>();
    frame.childKeys = std::make_shared<std::vector<std::string>>();
    return frame;
}

void openValue(Frame& frame)
{
    frame.valueTag.clear();
    frame.hasValue = false;
    frame.childKeys = std::make_shared<std::vector<std::string>>();
}

/// The caret stands in white space before `begin`, or at the end of the line.
void Scanner::passed(size_t begin)
{
    if (m_place || m_caret > begin || (m_caret == begin && here() != '\n'))
        return;
    if (m_isLineStart && !isFlow(top()) && top().kind != Collection::BlockList)
        placeAtLineStart(m_lineBegin);
    else
        place(roleHere(), m_caret, m_caret);
}

/// Of what may be written next.
Role Scanner::roleHere()
{
    if (top().hasValue)
        return Role::None;
    if (!isMapping(top()) || !top().key.empty())
        return Role::Value;
    return isFlow(top()) ? Role::Key : Role::None;
}

void Scanner::comment()
{
    const size_t begin = m_at;
    m_at = std::min(m_text.find('\n', m_at), m_text.size());
    if (!m_place && m_caret > begin && m_caret <= m_at)
        place(Role::None, m_caret, m_caret);
}

void Scanner::tagOrAnchor()
{
    const size_t begin = m_at;
    const size_t column = begin - m_lineBegin;
    const size_t end = std::min(m_text.find_first_of(" \t\r\n,[]{}", m_at), m_text.size());
    if (m_isLineStart && !isFlow(top()) && top().kind != Collection::BlockList)
        closeTo(column, false);
    if (isAtCaret(begin, end) && m_caret > begin && m_text[begin] == '!')
        place(Role::Tag, begin, end);
    else if (isAtCaret(begin, end))
        place(m_caret == begin ? Role::Value : Role::None, m_caret, m_caret);
    if (m_text[begin] == '!')
        top().valueTag = m_text.substr(begin, end - begin);
    else if (m_text[begin] == '*')
        top().hasValue = true;
    m_at = end;
}

size_t Scanner::quotedEnd() const
{
    const char quote = here();
    for (size_t at = m_at + 1; at < m_text.size(); ++at) {
        if (quote == '"' && m_text[at] == '\\')
            ++at;
        else if (m_text[at] == quote)
            return at + 1;
        else if (m_text[at] == '\n' && (at + 1 == m_text.size() || m_text[at + 1] != ' '))
            return at; // never closed
    }
    return m_text.size();
}

/// Where a plain scalar ends on this line: at a colon or comment, between brackets at a comma too.
size_t Scanner::wordEnd() const
{
    const bool isInFlow = isFlow(m_frames.back());
    size_t end = m_at;
    for (size_t at = m_at; at < m_text.size() && m_text[at] != '\n'; ++at) {
        const char c = m_text[at];
        const char next = at + 1 < m_text.size() ? m_text[at + 1] : '\n';
        if (isInFlow && std::string_view(",[]{}").find(c) != std::string_view::npos)
            break;
        const bool mayBeKey = m_isLineStart || isInFlow;
        if (c == ':' && mayBeKey && (isBlank(next) || next == '\n' || (isInFlow && next == ',')))
            break;
        if (c == '#' && at > m_at && isBlank(m_text[at - 1]))
            break;
        if (!isBlank(c))
            end = at + 1;
    }
    return std::max(end, m_at + 1);
}

/// Steps behind a key's colon.
bool Scanner::takeColon(size_t end)
{
    size_t at = end;
    while (at < m_text.size() && isBlank(m_text[at]))
        ++at;
    const bool isColon = at < m_text.size() && m_text[at] == ':'
        && (at + 1 == m_text.size() || isBlank(m_text[at + 1]) || m_text[at + 1] == '\n'
            || isFlow(m_frames.back()));
    m_at = isColon ? at + 1 : end;
    return isColon;
}

void Scanner::setKey(std::string_view word)
{
    if (word.size() > 1 && (word[0] == '"' || word[0] == '\''))
        word = word.substr(1, word.size() - 2);
    top().key = word;
    top().keys->push_back(top().key);
    openValue(top());
}

/// A half-typed first key: the lines that follow may still be its siblings.
void Scanner::placeInChild(size_t column, size_t begin, size_t end)
{
    m_frames.push_back(
        makeFrame(Collection::BlockMapping, column, top().valueTag, top().childKeys));
    place(Role::Key, begin, end);
    m_frames.pop_back();
}

void Scanner::place(Role role, size_t begin, size_t end)
{
    Place found;
    found.role = role;
    found.frames = m_frames;
    found.begin = begin;
    found.end = end;
    found.isFollowedByColon = role == Role::Key && m_at > end && m_text[m_at - 1] == ':';
    m_place = std::move(found);
}

/// Only white space stands before the caret: its column says which collection goes on.
void Scanner::placeAtLineStart(size_t lineBegin)
{
    const std::vector<Frame> before = m_frames;
    const size_t column = m_caret - std::min(m_caret, lineBegin);
    closeTo(column, false);
    if (opensAt(column))
        m_frames.push_back(
            makeFrame(Collection::BlockMapping, column, top().valueTag, top().childKeys));
    const bool isMappingHere = top().kind == Collection::BlockMapping && column == top().column;
    place(isMappingHere ? Role::Key : Role::None, m_caret, m_caret);
    m_frames = before;
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
