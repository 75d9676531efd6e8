#include "core/decode/error_rate.h"

#include "core/base/code_point.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace earwright::decode {
namespace {

/// The last operation on the cheapest way to each cell: rows are prefixes of the reference, columns
/// of the hypothesis.
class OperationTable final {
public:
    OperationTable(
        const std::vector<std::string>& reference, const std::vector<std::string>& hypothesis)
        : m_columns(hypothesis.size() + 1)
        , m_cells((reference.size() + 1) * m_columns, 'I')
    {
        std::vector<int64_t> above(m_columns); // costs of the row above
        for (size_t column = 0; column < m_columns; ++column)
            above[column] = static_cast<int64_t>(column);
        for (size_t row = 1; row <= reference.size(); ++row)
            above = fillRow(row, reference[row - 1], hypothesis, above);
    }

    /// From the first step to the last.
    std::string path(size_t row, size_t column) const
    {
        std::string operations;
        while (row > 0 || column > 0) {
            const char operation = at(row, column);
            operations += operation;
            row -= operation == 'I' ? 0 : 1;
            column -= operation == 'D' ? 0 : 1;
        }
        std::reverse(operations.begin(), operations.end());
        return operations;
    }

private:
    char at(size_t row, size_t column) const { return m_cells[row * m_columns + column]; }

    std::vector<int64_t> fillRow(size_t row, const std::string& token,
        const std::vector<std::string>& hypothesis, const std::vector<int64_t>& above)
    {
        std::vector<int64_t> costs(m_columns);
        costs[0] = static_cast<int64_t>(row);
        m_cells[row * m_columns] = 'D';
        for (size_t column = 1; column < m_columns; ++column) {
            const bool isEqual = token == hypothesis[column - 1];
            const std::pair<int64_t, char> steps[]
                = { { costs[column - 1] + 1, 'I' }, { above[column] + 1, 'D' },
                      { above[column - 1] + (isEqual ? 0 : 1), isEqual ? '=' : 'S' } };
            // The first of equals: the order above is the tie breaking.
            const auto& best = *std::min_element(std::begin(steps), std::end(steps),
                [](const auto& a, const auto& b) { return a.first < b.first; });
            costs[column] = best.first;
            m_cells[row * m_columns + column] = best.second;
        }
        return costs;
    }

    size_t m_columns;
    std::vector<char> m_cells;
};

bool isNothing(const std::vector<std::string>& tokens)
{
    return tokens.empty() || (tokens.size() == 1 && tokens.front().empty());
}

} // namespace

int64_t Scored::tokens() const
{
    return isNothing(reference) ? 0 : std::ssize(reference);
}

double Scored::percent() const
{
    return 100 * static_cast<double>(edits()) / static_cast<double>(std::max<int64_t>(tokens(), 1));
}

bool Scored::isSilent() const
{
    return isNothing(hypothesis);
}

void ErrorRate::add(const Scored& one)
{
    tokens += one.tokens();
    insertions += one.insertions;
    deletions += one.deletions;
    substitutions += one.substitutions;
    sentences += 1;
    wrongSentences += one.edits() > 0 ? 1 : 0;
}

double ErrorRate::percent() const
{
    const int64_t edits = insertions + deletions + substitutions;
    if (tokens == 0)
        return edits == 0 ? 0 : 100;
    return 100 * static_cast<double>(edits) / static_cast<double>(tokens);
}

Scored score(
    std::string id, std::vector<std::string> reference, std::vector<std::string> hypothesis)
{
    const OperationTable table(reference, hypothesis);
    Scored scored;
    scored.operations = table.path(reference.size(), hypothesis.size());
    scored.insertions = std::count(scored.operations.begin(), scored.operations.end(), 'I');
    scored.deletions = std::count(scored.operations.begin(), scored.operations.end(), 'D');
    scored.substitutions = std::count(scored.operations.begin(), scored.operations.end(), 'S');
    scored.id = std::move(id);
    scored.reference = std::move(reference);
    scored.hypothesis = std::move(hypothesis);
    return scored;
}

ErrorRate summarise(const std::vector<Scored>& scored)
{
    ErrorRate sum;
    for (const Scored& one : scored)
        sum.add(one);
    return sum;
}

WordSplit wordSplitOf(std::string_view option)
{
    return option == "single_blanks" ? WordSplit::SingleBlanks : WordSplit::WhiteSpace;
}

std::vector<std::string> words(const std::string& text, WordSplit split)
{
    return split == WordSplit::WhiteSpace ? splitAtWhiteSpace(text) : earwright::split(text, ' ');
}

std::vector<std::string> characters(const std::string& text, WordSplit split)
{
    return codePoints(join(words(text, split), "_"));
}

} // namespace earwright::decode
