#pragma once

#include "core/language/open_collections.h"
#include "core/language/scan.h"
#include "core/language/scan_cursor.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace earwright::language {

/// scan() at work: lines of block collections in scan_block.cpp, brackets in scan_flow.cpp.
class Scanner final {
public:
    Scanner(std::string_view text, size_t caret)
        : m_cursor { text }
        , m_caret(std::min(caret, text.size()))
    {
    }

    Place run()
    {
        while (!m_cursor.isAtEnd())
            line();
        if (!m_place)
            placeAtLineStart(m_cursor.at);
        return *m_place;
    }

private:
    // Lines of block collections

    void line();
    void blankLine(size_t lineBegin);
    void dashes();
    void blockNodes();
    void blockToken();
    void blockWord(size_t begin, size_t end);
    void blockKey(size_t column, size_t begin, size_t end);
    void blockText();

    // Between brackets, over several lines

    void flow();
    void flowToken();
    void flowEnd(char c);
    void flowWord(size_t begin, size_t end);

    // Both

    void tagOrAnchor();
    void comment();

    // The caret

    bool isAtCaret(size_t begin, size_t end) const
    {
        return !m_place && begin <= m_caret && m_caret <= end;
    }
    void passed(size_t begin);
    void place(Role role, size_t begin, size_t end);
    void placeInChild(size_t column, size_t begin, size_t end);
    void placeAtLineStart(size_t lineBegin);

    ScanCursor m_cursor;
    size_t m_caret;
    OpenCollections m_open;
    std::optional<Place> m_place;
};

} // namespace earwright::language
