#include "app/cli/comparison_table.h"

#include "app/cli/table_formats.h"

#include <algorithm>
#include <type_traits>

namespace earwright::cli {

namespace {

/// "+0.44", "-3".
template <class Number>
std::string signedText(Number difference)
{
    if constexpr (std::is_floating_point_v<Number>)
        return formatted("%+.2f", difference);
    else
        return (difference > 0 ? "+" : "") + std::to_string(difference);
}

/// A number, and behind it how far it is from the first run's.
template <class Number>
void addWithDifference(
    std::vector<std::string>& row, Number value, const std::optional<Number>& first)
{
    if constexpr (std::is_floating_point_v<Number>)
        row.push_back(formatted("%.2f", value));
    else
        row.push_back(std::to_string(value));
    row.push_back(first ? signedText(value - *first) : "");
}

/// What an evaluation had taken, in the table's units.
using CostFigure = std::optional<double> (*)(const ComparedScores&);

std::optional<double> minutesOf(const ComparedScores& scores)
{
    return scores.cost ? std::optional(scores.cost->seconds / 60) : std::nullopt;
}

std::optional<double> wattHoursOf(const ComparedScores& scores)
{
    return scores.cost && scores.cost->joules ? std::optional(*scores.cost->joules / 3600)
                                              : std::nullopt;
}

class ComparisonTable final {
public:
    explicit ComparisonTable(const RunComparison& comparison)
        : m_comparison(comparison)
        , m_tf32(comparison.tf32())
        , m_hasMinutes(has(minutesOf))
        , m_hasEnergy(has(wattHoursOf))
    {
    }

    std::vector<std::string> header() const
    {
        std::vector<std::string> row { "evaluation", "run", "epoch", "WER %", "difference", "CER %",
            "difference", "sub", "difference", "del", "difference", "ins", "difference", "it/s",
            "ratio" };
        if (m_tf32)
            row.emplace_back("to tf32");
        if (m_hasMinutes)
            row.insert(row.end(), { "minutes", "difference" });
        if (m_hasEnergy)
            row.insert(row.end(), { "Wh", "difference" });
        row.insert(row.end(), { "p", "MAPSSWE p" });
        return row;
    }

    std::vector<std::string> row(const ComparedScores& scores) const
    {
        std::vector<std::string> row { scores.evaluation.split, m_comparison.runs[scores.run].name,
            std::to_string(scores.evaluation.epoch) };
        addRates(row, scores);
        addSpeed(row, m_comparison.runs[scores.run]);
        if (m_hasMinutes)
            addCost(row, scores, minutesOf);
        if (m_hasEnergy)
            addCost(row, scores, wattHoursOf);
        const auto& verdict = scores.verdict;
        row.push_back(
            verdict && verdict->bootstrap ? formatted("%.4f", verdict->bootstrap->p) : "");
        row.push_back(
            verdict && verdict->matchedPairs.p ? formatted("%.4f", *verdict->matchedPairs.p) : "");
        return row;
    }

private:
    bool has(CostFigure figure) const
    {
        return std::any_of(m_comparison.scores.begin(), m_comparison.scores.end(),
            [figure](const ComparedScores& scores) { return figure(scores).has_value(); });
    }

    void addRates(std::vector<std::string>& row, const ComparedScores& scores) const
    {
        const ComparedScores* first = baselineOf(m_comparison, scores);
        const bool countTheSame = first && first->evaluation.rate == scores.evaluation.rate;
        const auto add = [&](bool isComparable, const auto& valueOf) {
            using Number = decltype(valueOf(scores));
            addWithDifference<Number>(row, valueOf(scores),
                isComparable ? std::optional<Number>(valueOf(*first)) : std::nullopt);
        };
        // Of texts without words a WER says nothing.
        if (scores.evaluation.rate == "CER")
            row.insert(row.end(), { "-", "" });
        else
            add(countTheSame, [](const ComparedScores& of) { return of.evaluation.wer; });
        add(first != nullptr, [](const ComparedScores& of) { return of.evaluation.cer; });
        add(countTheSame, [](const ComparedScores& of) { return of.edits.substitutions; });
        add(countTheSame, [](const ComparedScores& of) { return of.edits.deletions; });
        add(countTheSame, [](const ComparedScores& of) { return of.edits.insertions; });
    }

    void addSpeed(std::vector<std::string>& row, const ComparedRun& run) const
    {
        const auto add
            = [&row](double value) { row.push_back(value > 0 ? formatted("%.2f", value) : "-"); };
        add(run.speed);
        add(speedRatio(run, m_comparison.first()).value);
        if (m_tf32)
            add(speedRatio(run, *m_tf32).value);
    }

    void addCost(
        std::vector<std::string>& row, const ComparedScores& scores, CostFigure figure) const
    {
        const std::optional<double> value = figure(scores);
        if (!value) {
            row.insert(row.end(), { "", "" });
            return;
        }
        const ComparedScores* first = baselineOf(m_comparison, scores);
        addWithDifference<double>(row, *value, first ? figure(*first) : std::nullopt);
    }

    const RunComparison& m_comparison;
    const ComparedRun* m_tf32;
    bool m_hasMinutes;
    bool m_hasEnergy;
};

} // namespace

const ComparedScores* baselineOf(const RunComparison& comparison, const ComparedScores& scores)
{
    for (const ComparedScores& other : comparison.scores) {
        if (other.run == 0 && &other != &scores
            && other.evaluation.split == scores.evaluation.split)
            return &other;
    }
    return nullptr;
}

std::vector<std::vector<std::string>> comparisonTable(const RunComparison& comparison)
{
    const ComparisonTable table(comparison);
    std::vector<std::vector<std::string>> rows { table.header() };
    for (const ComparedScores& scores : comparison.scores)
        rows.push_back(table.row(scores));
    return rows;
}

} // namespace earwright::cli
