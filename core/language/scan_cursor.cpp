#include "core/language/scan_cursor.h"

#include <algorithm>

namespace earwright::language {

size_t ScanCursor::lineEnd(size_t from) const
{
    return std::min(text.find('\n', from), text.size());
}

size_t ScanCursor::quotedEnd() const
{
    const char quote = here();
    for (size_t i = at + 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (text[i] == quote)
            return i + 1;
        else if (text[i] == '\n' && (i + 1 == text.size() || text[i + 1] != ' '))
            return i; // never closed
    }
    return text.size();
}

size_t ScanCursor::wordEnd(bool isInFlow) const
{
    size_t end = at;
    for (size_t i = at; i < text.size() && text[i] != '\n'; ++i) {
        const char c = text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\n';
        if (isInFlow && std::string_view(",[]{}").find(c) != std::string_view::npos)
            break;
        const bool mayBeKey = isLineStart || isInFlow;
        if (c == ':' && mayBeKey && (isBlank(next) || next == '\n' || (isInFlow && next == ',')))
            break;
        if (c == '#' && i > at && isBlank(text[i - 1]))
            break;
        if (!isBlank(c))
            end = i + 1;
    }
    return std::max(end, at + 1);
}

bool ScanCursor::takeColon(size_t end, bool isInFlow)
{
    size_t next = end;
    while (next < text.size() && isBlank(text[next]))
        ++next;
    const bool isColon = next < text.size() && text[next] == ':'
        && (next + 1 == text.size() || isBlank(text[next + 1]) || text[next + 1] == '\n'
            || isInFlow);
    at = isColon ? next + 1 : end;
    return isColon;
}

bool ScanCursor::looksLikeBlockKey(size_t column) const
{
    const size_t end = text.find_first_of(":,[]{}\n", at);
    if (end >= text.size() || text[end] != ':' || at - lineBegin > column)
        return false;
    return end + 1 == text.size() || isBlank(text[end + 1]) || text[end + 1] == '\n';
}

} // namespace earwright::language
