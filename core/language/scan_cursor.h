#pragma once

#include <cstddef>
#include <string_view>

namespace earwright::language {

inline bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/// How far a recipe's text is read, and what begins there. Offsets are bytes of the text.
struct ScanCursor {
    std::string_view text;
    size_t at = 0;
    size_t lineBegin = 0;
    bool isLineStart = true; ///< nothing but dashes stands before on the line

    bool isAtEnd() const { return at >= text.size(); }
    /// A line break where the text has ended.
    char here(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\n'; }
    bool endsWord(size_t ahead) const { return isBlank(here(ahead)) || here(ahead) == '\n'; }
    char take() { return text[at++]; } ///< and steps behind it
    size_t lineEnd(size_t from) const;
    /// Behind the quoted text that begins here.
    size_t quotedEnd() const;
    /// Where a plain scalar ends on this line: at a colon or comment, between brackets at a comma
    /// too.
    size_t wordEnd(bool isInFlow) const;
    /// Steps behind a key's colon.
    bool takeColon(size_t end, bool isInFlow);
    /// An open bracket must not swallow the rest of the recipe: a key at the column of the
    /// enclosing block ends it.
    bool looksLikeBlockKey(size_t column) const;
};

} // namespace earwright::language
