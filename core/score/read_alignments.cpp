#include "core/base/text.h"
#include "core/score/error_rate.h"

#include <algorithm>
#include <array>
#include <optional>

namespace earwright::score {

namespace {

/// A text's lines, one after the other.
class Lines final {
public:
    explicit Lines(std::string_view text)
        : m_left(text)
    {
    }

    /// Without its end; nothing behind the last one.
    std::optional<std::string_view> next()
    {
        if (m_left.empty())
            return std::nullopt;
        const size_t end = std::min(m_left.find('\n'), m_left.size());
        const std::string_view line = m_left.substr(0, end);
        m_left.remove_prefix(std::min(end + 1, m_left.size()));
        ++m_number;
        return line;
    }
    int number() const { return m_number; } ///< of the latest, from 1

private:
    std::string_view m_left;
    int m_number = 0;
};

constexpr std::string_view kBetweenColumns = " ; ";

/// What the line of operations, of one letter a column, says of an alignment: the operations, and
/// the columns' widths in code points. Nothing where it is no such line.
struct Layout {
    std::string operations;
    std::vector<size_t> widths;
};

std::optional<Layout> layoutOf(std::string_view line)
{
    Layout layout;
    while (!line.empty()) {
        const size_t end = std::min(line.find(kBetweenColumns), line.size());
        const std::string_view cell = line.substr(0, end);
        const size_t letter = cell.find_first_not_of(' ');
        if (letter == std::string_view::npos
            || cell.find_first_not_of(' ', letter + 1) != std::string_view::npos
            || std::string_view("=SID").find(cell[letter]) == std::string_view::npos)
            return std::nullopt;
        layout.operations += cell[letter];
        layout.widths.push_back(cell.size());
        line.remove_prefix(std::min(end + kBetweenColumns.size(), line.size()));
    }
    return layout;
}

std::string_view withoutBlanks(std::string_view cell)
{
    const size_t first = cell.find_first_not_of(' ');
    if (first == std::string_view::npos)
        return {};
    return cell.substr(first, cell.find_last_not_of(' ') - first + 1);
}

/// Takes so many code points off the line's beginning.
std::string_view takePoints(std::string_view& line, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count && bytes < line.size(); ++i)
        bytes += codePointLength(line, bytes);
    const std::string_view taken = line.substr(0, bytes);
    line.remove_prefix(taken.size());
    return taken;
}

/// The tokens of a line, but for the columns whose operation is `absent`. Nothing where the line is
/// shorter or longer than the columns.
std::optional<std::vector<std::string>> tokensOf(
    std::string_view line, const Layout& layout, char absent)
{
    std::vector<std::string> tokens;
    for (size_t column = 0; column < layout.widths.size(); ++column) {
        if (column > 0 && takePoints(line, kBetweenColumns.size()) != kBetweenColumns)
            return std::nullopt;
        const std::string_view cell = takePoints(line, layout.widths[column]);
        if (codePointCount(cell) != layout.widths[column])
            return std::nullopt;
        if (layout.operations[column] != absent)
            tokens.emplace_back(withoutBlanks(cell));
    }
    return line.empty() ? std::optional(std::move(tokens)) : std::nullopt;
}

/// The three lines below an utterance's first one: reference, operations, hypothesis.
std::optional<Scored> scoredOf(std::string_view head, const std::array<std::string_view, 3>& lines)
{
    const size_t idEnd = head.rfind(", %WER ");
    const std::optional<Layout> layout = layoutOf(lines[1]);
    if (idEnd == std::string_view::npos || !layout)
        return std::nullopt;
    auto reference = tokensOf(lines[0], *layout, 'I');
    auto hypothesis = tokensOf(lines[2], *layout, 'D');
    if (!reference || !hypothesis)
        return std::nullopt;
    Scored scored { .id = std::string(head.substr(0, idEnd)),
        .reference = std::move(*reference),
        .hypothesis = std::move(*hypothesis),
        .operations = layout->operations };
    scored.countOperations();
    return scored;
}

} // namespace

Result<std::vector<Scored>> scoredFromAlignments(std::string_view text)
{
    const std::string_view rule = std::string_view(kRule).substr(0, kRule.size() - 1);
    Lines lines(text);
    const auto noPart = [&lines](const std::string& wanted) {
        return Error { atLine(lines.number()) + "is no part of a run's alignments: " + wanted };
    };
    int rules = 0;
    std::vector<Scored> all;
    while (const auto line = lines.next()) {
        if (*line != rule) {
            if (rules > 1) // behind an utterance's lines
                return noPart("a line of 80 '=' is to stand here");
            continue; // of the summary, or of the example that explains the format
        }
        if (++rules == 1)
            continue;
        const auto head = lines.next();
        std::array<std::string_view, 3> below;
        for (std::string_view& one : below)
            one = lines.next().value_or("");
        std::optional<Scored> scored = scoredOf(head.value_or(""), below);
        if (!scored)
            return noPart("an utterance's ID and three lines of as many columns are to stand here");
        all.push_back(std::move(*scored));
    }
    if (rules == 0)
        return noPart("there is no line of 80 '='");
    return all;
}

} // namespace earwright::score
