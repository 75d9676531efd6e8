#include "app/cli/run_groups.h"

#include "app/cli/table_formats.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/plan/tree_difference.h"
#include "core/recipe/resolve.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

constexpr size_t kShownKeys = 3;

/// What a run has at a key, or a run option's value; null = nothing.
recipe::NodePtr valueAt(const ComparedRun& run, const std::string& key)
{
    if (recipe::NodePtr value = recipe::findPath(*run.plan.recipe, key))
        return value;
    const auto& all = run.plan.provenance;
    const auto option = std::find_if(
        all.begin(), all.end(), [&key](const check::Provenance& one) { return one.key == key; });
    return option == all.end() ? nullptr : recipe::makeScalar(option->value);
}

/// A recipe as written, with one value of the key.
recipe::NodePtr treeWith(
    const plan::Plan& plan, const std::string& key, const recipe::NodePtr& value)
{
    const recipe::Override one {
        .path = split(key, '.'), .value = value, .text = key, .origin = recipe::Origin::Option
    };
    return recipe::resolve(plan.recipeText, plan.recipeFile, { one }, { .keepPlaceholders = true })
        .root;
}

bool isAtOrBelow(const std::string& path, const std::string& key)
{
    return path == key || path.starts_with(key + ".");
}

/// The paths at which the recipes of two runs differ, but for the key and for what refers to it.
std::vector<std::string> otherDifferences(
    const ComparedRun& first, const ComparedRun& run, const std::string& key)
{
    std::vector<std::string> paths = plan::differences(*first.plan.recipe, *run.plan.recipe);
    const recipe::NodePtr one = treeWith(first.plan, key, valueAt(first, key));
    const recipe::NodePtr other = treeWith(first.plan, key, valueAt(run, key));
    const std::vector<std::string> referring
        = one && other ? plan::differences(*one, *other) : std::vector<std::string>();
    std::erase_if(paths, [&](const std::string& path) {
        return isAtOrBelow(path, key) || contains(referring, path);
    });
    if (first.snapshot.started.devices.size() != run.snapshot.started.devices.size())
        paths.emplace_back("the number of ranks");
    return paths;
}

std::string listedKeys(std::vector<std::string> paths)
{
    const size_t numMore = paths.size() > kShownKeys ? paths.size() - kShownKeys : 0;
    paths.resize(paths.size() - numMore);
    return join(paths, ", ") + (numMore > 0 ? " and " + std::to_string(numMore) + " more" : "");
}

/// Of numbers of the runs of a group.
struct Spread {
    double mean = 0;
    std::optional<double> deviation {}; ///< none of one number
};

std::optional<Spread> spreadOf(const std::vector<double>& numbers)
{
    if (numbers.empty())
        return std::nullopt;
    const auto count = static_cast<double>(numbers.size());
    Spread spread;
    for (const double number : numbers)
        spread.mean += number / count;
    if (numbers.size() < 2)
        return spread;
    double squares = 0;
    for (const double number : numbers)
        squares += (number - spread.mean) * (number - spread.mean);
    spread.deviation = std::sqrt(squares / (count - 1));
    return spread;
}

/// What is averaged. `of` gives nothing where a run has no such figure.
struct GroupFigure {
    const char* title;
    const char* member; ///< of the JSON
    std::optional<double> (*of)(const ComparedRun& run, const ComparedScores& scores);
};

const std::vector<GroupFigure>& groupFigures()
{
    static const std::vector<GroupFigure> kFigures {
        { "WER %", "wer",
            [](const ComparedRun&, const ComparedScores& scores) {
                return scores.evaluation.rate == "CER" ? std::nullopt
                                                       : std::optional(scores.evaluation.wer);
            } },
        { "CER %", "cer",
            [](const ComparedRun&, const ComparedScores& scores) {
                return std::optional(scores.evaluation.cer);
            } },
        { "it/s", "it_per_s",
            [](const ComparedRun& run, const ComparedScores&) {
                return run.speed > 0 ? std::optional(run.speed) : std::nullopt;
            } },
        { "minutes", "minutes",
            [](const ComparedRun&, const ComparedScores& scores) {
                return scores.cost ? std::optional(scores.cost->seconds / 60) : std::nullopt;
            } },
        { "Wh", "watt_hours",
            [](const ComparedRun&, const ComparedScores& scores) {
                return scores.cost && scores.cost->joules
                    ? std::optional(*scores.cost->joules / 3600)
                    : std::nullopt;
            } },
    };
    return kFigures;
}

/// The figures of one evaluation of a group.
struct GroupScores {
    std::string split;
    size_t group = 0;
    size_t numRuns = 0; ///< of the group that have this evaluation
    std::vector<std::optional<Spread>> spreads {}; ///< in the order of groupFigures(); none where
                                                   ///< some run of these lacks it
};

std::vector<std::string> splitsOf(const RunComparison& comparison)
{
    std::vector<std::string> splits;
    for (const ComparedScores& scores : comparison.scores) {
        if (!contains(splits, scores.evaluation.split))
            splits.push_back(scores.evaluation.split);
    }
    return splits;
}

std::vector<const ComparedScores*> scoresOf(
    const RunComparison& comparison, const RunGroup& group, const std::string& split)
{
    std::vector<const ComparedScores*> found;
    for (const ComparedScores& scores : comparison.scores) {
        const bool isOfGroup
            = std::find(group.runs.begin(), group.runs.end(), scores.run) != group.runs.end();
        if (isOfGroup && scores.evaluation.split == split)
            found.push_back(&scores);
    }
    return found;
}

std::vector<GroupScores> groupScores(
    const RunComparison& comparison, const std::vector<RunGroup>& groups)
{
    std::vector<GroupScores> all;
    for (const std::string& split : splitsOf(comparison)) {
        for (size_t i = 0; i < groups.size(); ++i) {
            const auto scores = scoresOf(comparison, groups[i], split);
            if (scores.empty())
                continue;
            GroupScores& row = all.emplace_back(
                GroupScores { .split = split, .group = i, .numRuns = scores.size() });
            for (const GroupFigure& figure : groupFigures()) {
                std::vector<double> numbers;
                for (const ComparedScores* one : scores) {
                    if (const auto number = figure.of(comparison.runs[one->run], *one))
                        numbers.push_back(*number);
                }
                row.spreads.push_back(
                    numbers.size() == scores.size() ? spreadOf(numbers) : std::nullopt);
            }
        }
    }
    return all;
}

/// The first group's of the same evaluation; null where it has none, and of itself.
const GroupScores* firstGroupOf(const std::vector<GroupScores>& all, const GroupScores& scores)
{
    const auto found = std::find_if(all.begin(), all.end(), [&scores](const GroupScores& other) {
        return other.group == 0 && other.split == scores.split;
    });
    return found == all.end() || &*found == &scores ? nullptr : &*found;
}

/// Mean, deviation, and the mean's difference.
void addSpread(std::vector<std::string>& row, const std::optional<Spread>& spread,
    const std::optional<Spread>& first)
{
    row.push_back(spread ? formatted("%.2f", spread->mean) : "");
    row.push_back(spread && spread->deviation ? formatted("%.2f", *spread->deviation) : "");
    row.push_back(spread && first ? formatted("%+.2f", spread->mean - first->mean) : "");
}

/// Those that some group has.
std::vector<size_t> shownFigures(const std::vector<GroupScores>& all)
{
    std::vector<size_t> shown;
    for (size_t i = 0; i < groupFigures().size(); ++i) {
        if (std::any_of(all.begin(), all.end(),
                [i](const GroupScores& scores) { return scores.spreads[i].has_value(); }))
            shown.push_back(i);
    }
    return shown;
}

} // namespace

Result<std::vector<RunGroup>> groupRuns(
    const std::vector<ComparedRun>& runs, const std::string& key)
{
    std::vector<RunGroup> groups;
    for (size_t i = 0; i < runs.size(); ++i) {
        const recipe::NodePtr value = valueAt(runs[i], key);
        if (!value)
            return Error { "the recipe of " + runs[i].name + " has no key " + inQuotes(key)
                + ", and no run option is called so" };
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const RunGroup& group) {
            return otherDifferences(runs[group.runs.front()], runs[i], key).empty();
        });
        RunGroup& group = found != groups.end()
            ? *found
            : groups.emplace_back(RunGroup { .name = runs[i].name, .runs = {}, .values = {} });
        if (group.runs.empty() && groups.size() > 1)
            group.differences = listedKeys(otherDifferences(runs.front(), runs[i], key));
        group.runs.push_back(i);
        group.values.push_back(value->kind == recipe::Kind::Scalar
                ? value->text
                : plan::textAtPath(*runs[i].plan.recipe, key));
    }
    return groups;
}

std::vector<std::vector<std::string>> groupTable(
    const RunComparison& comparison, const std::vector<RunGroup>& groups, const std::string& key)
{
    const std::vector<GroupScores> all = groupScores(comparison, groups);
    const std::vector<size_t> shown = shownFigures(all);
    std::vector<std::vector<std::string>> rows { { "evaluation", "first run", key, "runs" } };
    for (const size_t figure : shown)
        rows.front().insert(
            rows.front().end(), { groupFigures()[figure].title, "±", "difference" });
    for (const GroupScores& scores : all) {
        const RunGroup& group = groups[scores.group];
        std::vector<std::string> row { scores.split, group.name, join(group.values, ", "),
            std::to_string(scores.numRuns) };
        const GroupScores* first = firstGroupOf(all, scores);
        for (const size_t figure : shown)
            addSpread(row, scores.spreads[figure], first ? first->spreads[figure] : std::nullopt);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::string> groupNotes(const std::vector<RunGroup>& groups, const std::string& key)
{
    std::vector<std::string> notes;
    for (const RunGroup& group : groups) {
        if (!group.differences.empty())
            notes.push_back(group.name + " differs from " + groups.front().name + " in "
                + group.differences + " besides " + key);
        if (group.runs.size() < 2)
            notes.push_back(
                group.name + " is alone: no other run differs from it in " + key + " only");
    }
    notes.push_back("± is the standard deviation over the runs of a row, by n - 1");
    return notes;
}

std::string groupsJson(
    const RunComparison& comparison, const std::vector<RunGroup>& groups, const std::string& key)
{
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const RunGroup& group : groups) {
        std::vector<std::string> names;
        for (const size_t run : group.runs)
            names.push_back(comparison.runs[run].name);
        list.push_back({ { "name", group.name }, { "runs", names }, { "values", group.values },
            { "differences", group.differences } });
    }
    Json evaluations = Json::array();
    for (const GroupScores& scores : groupScores(comparison, groups)) {
        Json json { { "split", scores.split }, { "group", groups[scores.group].name },
            { "runs", scores.numRuns } };
        for (size_t i = 0; i < scores.spreads.size(); ++i) {
            const auto& spread = scores.spreads[i];
            json[groupFigures()[i].member] = spread ? Json(spread->mean) : Json();
            json[std::string(groupFigures()[i].member) + "_deviation"]
                = spread && spread->deviation ? Json(*spread->deviation) : Json();
        }
        evaluations.push_back(std::move(json));
    }
    const Json all { { "key", key }, { "groups", list }, { "evaluations", evaluations },
        { "problems", comparison.problems } };
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace earwright::cli
