#pragma once

#include "core/language/scan.h"

#include <algorithm>
#include <optional>

namespace earwright::language {

inline bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool isFlow(const Frame& frame);
bool isMapping(const Frame& frame);
Frame makeFrame(Collection kind, size_t column, std::string tag, Frame::Keys keys = nullptr);
/// A new entry or item begins.
void openValue(Frame& frame);

/// scan() at work: lines of block collections in scan_block.cpp, brackets in scan_flow.cpp.
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

} // namespace earwright::language
