#pragma once

#include "core/recipe/node.h"

#include <string_view>
#include <vector>

namespace earwright::recipe {

/// Byte offsets of a UTF-8 text as lines and columns, and back. Keeps the view: the text must
/// outlive it.
class SourceText final {
public:
    explicit SourceText(std::string_view text);

    std::string_view text() const { return m_text; }
    int lineCount() const { return static_cast<int>(m_lineBegins.size()); }
    /// Without its line break; "" where there is no such line. 1-based.
    std::string_view line(int number) const;
    size_t lineBegin(int number) const { return m_lineBegins[static_cast<size_t>(number - 1)]; }

    /// An offset past the end is taken for the end.
    Position position(size_t offset) const;
    /// A position past the end of its line is taken for the end of that line.
    size_t offset(Position position) const;
    Span span(const std::string& file, size_t begin, size_t end) const;

private:
    size_t pointsBefore(size_t offset) const;

    std::string_view m_text;
    std::vector<size_t> m_lineBegins;
    /// Code points before each block of kBlock bytes: a column must not cost a walk over a line of
    /// a megabyte.
    std::vector<size_t> m_pointsBefore;
};

/// Where a scalar, sequence or mapping begins after its tag and anchor, and where tag and anchor
/// end.
struct Properties {
    size_t end; ///< after the last of them; the start where there are none
    size_t content; ///< the first character of the node itself; text.size() where nothing follows
};
Properties skipProperties(std::string_view text, size_t begin);

/// After the closing quote of the quoted text that begins at `begin`; none where it is never
/// closed.
std::optional<size_t> quotedEnd(std::string_view text, size_t begin);
/// Where a scalar that begins (after its properties) at `content` and reads as `value` ends.
size_t scalarEnd(std::string_view text, size_t content, std::string_view value);
/// After the closing bracket that is the next one from `at`, comments left out.
size_t flowEnd(std::string_view text, size_t at, char closer);

} // namespace earwright::recipe
