#include "core/language/scan.h"

#include <algorithm>
#include <optional>

namespace kymo::language {
namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool isFlow(const Frame& frame)
{
    return frame.kind == Collection::FlowMapping || frame.kind == Collection::FlowList;
}

bool isMapping(const Frame& frame)
{
    return frame.kind == Collection::BlockMapping || frame.kind == Collection::FlowMapping;
}

Frame makeFrame(Collection kind, size_t column, std::string tag, Frame::Keys keys = nullptr)
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

class Scanner final {
public:
    Scanner(std::string_view text, size_t caret)
        : m_text(text)
        , m_caret(std::min(caret, text.size()))
        , m_frames { makeFrame(Collection::BlockMapping, 0, "") }
    {
    }

    Place run()
    {
        while (m_at < m_text.size())
            line();
        if (!m_place)
            placeAtLineStart(m_at);
        return *m_place;
    }

private:
    char here(size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\n';
    }
    bool endsWord(size_t ahead) const { return isBlank(here(ahead)) || here(ahead) == '\n'; }
    Frame& top() { return m_frames.back(); }

    // Lines of block collections

    void line();
    void blankLine(size_t lineBegin);
    void dashes();
    void blockNodes();
    void blockToken();
    void blockWord(size_t begin, size_t end);
    void blockKey(size_t column, size_t begin, size_t end);
    bool opensAt(size_t column);
    void blockText();
    void closeTo(size_t column, bool isDash);

    // Between brackets, over several lines

    void flow();
    void flowToken();
    void flowEnd(char c);
    void flowWord(size_t begin, size_t end);
    bool looksLikeBlockKey() const;

    // Both

    void open(char bracket);
    size_t wordEnd() const;
    size_t quotedEnd() const;
    void tagOrAnchor();
    void comment();
    bool takeColon(size_t end);
    void setKey(std::string_view word);

    // The caret

    bool isAtCaret(size_t begin, size_t end) const
    {
        return !m_place && begin <= m_caret && m_caret <= end;
    }
    void passed(size_t begin);
    Role roleHere();
    void place(Role role, size_t begin, size_t end);
    void placeInChild(size_t column, size_t begin, size_t end);
    void placeAtLineStart(size_t lineBegin);

    std::string_view m_text;
    size_t m_caret;
    size_t m_at = 0;
    size_t m_lineBegin = 0;
    bool m_isLineStart = true; ///< nothing but dashes stands before on the line
    std::vector<Frame> m_frames;
    std::optional<Place> m_place;
};

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

/// A half-typed first key: the lines that follow may still be its siblings.
void Scanner::placeInChild(size_t column, size_t begin, size_t end)
{
    m_frames.push_back(
        makeFrame(Collection::BlockMapping, column, top().valueTag, top().childKeys));
    place(Role::Key, begin, end);
    m_frames.pop_back();
}

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

} // namespace

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

} // namespace kymo::language
