#include "core/score/error_rate.h"

#include "core/base/code_point.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace earwright::score {
namespace {

/// The cheapest way from a reference (rows: its prefixes) to a hypothesis (columns), by the last
/// operation on the way to each cell. An hour of letters has 10^9 cells. Only one band of rows is
/// in memory. Of each band the costs before its first row are kept, from which its cells can be
/// filled again.
class OperationTable final {
public:
    OperationTable(
        const std::vector<std::string>& reference, const std::vector<std::string>& hypothesis)
        : m_reference(reference)
        , m_hypothesis(hypothesis)
        , m_columns(hypothesis.size() + 1)
        , m_bandRows(std::max(kFewestBandRows,
              static_cast<size_t>(std::sqrt(static_cast<double>(reference.size())))))
    {
        std::vector<int64_t> costs(m_columns); // of an empty reference
        std::iota(costs.begin(), costs.end(), int64_t { 0 });
        m_firstCosts.push_back(std::move(costs));
        while (m_firstCosts.size() * m_bandRows < reference.size())
            m_firstCosts.push_back(fillBand(m_firstCosts.size() - 1));
        fillBand(m_firstCosts.size() - 1);
    }

    /// Of both as a whole, from the first step to the last.
    std::string path()
    {
        std::string operations;
        size_t row = m_reference.size();
        size_t column = m_hypothesis.size();
        while (row > 0 || column > 0) {
            const char operation = row > 0 ? at(row, column) : 'I';
            operations += operation;
            row -= operation == 'I' ? 0 : 1;
            column -= operation == 'D' ? 0 : 1;
        }
        std::reverse(operations.begin(), operations.end());
        return operations;
    }

private:
    static constexpr size_t kFewestBandRows = 256;

    /// `row` counts from 1.
    char at(size_t row, size_t column)
    {
        const size_t band = (row - 1) / m_bandRows;
        if (band != m_band)
            fillBand(band);
        return m_cells[(row - 1 - band * m_bandRows) * m_columns + column];
    }

    /// The costs of its last row.
    std::vector<int64_t> fillBand(size_t band)
    {
        m_band = band;
        const size_t first = band * m_bandRows;
        const size_t last = std::min(first + m_bandRows, m_reference.size());
        m_cells.resize((last - first) * m_columns);
        std::vector<int64_t> costs = m_firstCosts[band];
        for (size_t row = first; row < last; ++row)
            costs = fillRow(row, costs, m_cells.data() + (row - first) * m_columns);
        return costs;
    }

    std::vector<int64_t> fillRow(size_t row, const std::vector<int64_t>& above, char* cells) const
    {
        std::vector<int64_t> costs(m_columns);
        costs[0] = static_cast<int64_t>(row + 1);
        cells[0] = 'D';
        for (size_t column = 1; column < m_columns; ++column) {
            const bool isEqual = m_reference[row] == m_hypothesis[column - 1];
            const std::pair<int64_t, char> steps[]
                = { { costs[column - 1] + 1, 'I' }, { above[column] + 1, 'D' },
                      { above[column - 1] + (isEqual ? 0 : 1), isEqual ? '=' : 'S' } };
            // The first of equals: the order above is the tie breaking.
            const auto& best = *std::min_element(std::begin(steps), std::end(steps),
                [](const auto& a, const auto& b) { return a.first < b.first; });
            costs[column] = best.first;
            cells[column] = best.second;
        }
        return costs;
    }

    const std::vector<std::string>& m_reference;
    const std::vector<std::string>& m_hypothesis;
    size_t m_columns;
    size_t m_bandRows;
    std::vector<std::vector<int64_t>> m_firstCosts; ///< of the row before each band
    size_t m_band = 0; ///< that m_cells holds
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

void Scored::countOperations()
{
    insertions = std::count(operations.begin(), operations.end(), 'I');
    deletions = std::count(operations.begin(), operations.end(), 'D');
    substitutions = std::count(operations.begin(), operations.end(), 'S');
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

void ErrorRate::add(const ErrorRate& other)
{
    tokens += other.tokens;
    insertions += other.insertions;
    deletions += other.deletions;
    substitutions += other.substitutions;
    sentences += other.sentences;
    wrongSentences += other.wrongSentences;
}

double ErrorRate::percent() const
{
    if (tokens == 0)
        return edits() == 0 ? 0 : 100;
    return 100 * static_cast<double>(edits()) / static_cast<double>(tokens);
}

Scored score(
    std::string id, std::vector<std::string> reference, std::vector<std::string> hypothesis)
{
    Scored scored;
    scored.operations = OperationTable(reference, hypothesis).path();
    scored.countOperations();
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

} // namespace earwright::score
