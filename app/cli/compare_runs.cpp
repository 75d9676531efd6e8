#include "app/cli/compare_runs.h"

#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/comparison_json.h"
#include "app/cli/comparison_notes.h"
#include "app/cli/comparison_table.h"
#include "app/cli/progress.h"
#include "app/cli/run_groups.h"
#include "app/cli/split_choice.h"
#include "app/cli/table_formats.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace earwright::cli {

namespace {

void printTable(const std::string& format, const std::vector<std::vector<std::string>>& rows,
    const std::vector<std::string>& notes)
{
    std::cout << tableAs(format, rows) << notesAs(format, notes);
}

void printGroups(const RunComparison& comparison, const std::vector<RunGroup>& groups,
    const std::string& key, const std::string& format)
{
    if (format == "json")
        std::cout << groupsJson(comparison, groups, key);
    else
        printTable(format, groupTable(comparison, groups, key), groupNotes(groups, key));
}

void printComparison(const RunComparison& comparison, const std::string& format)
{
    if (format == "json")
        std::cout << comparisonJson(comparison);
    else
        printTable(format, comparisonTable(comparison), comparisonLines(comparison));
}

/// What is wrong with the words of the command; "" = nothing.
std::string compareRunsMisuse(const Result<Arguments>& given)
{
    if (!given)
        return given.error().message;
    if (given->positional.size() < (given->has("--baseline") ? 1 : 2))
        return "name two runs or more: --runs A B";
    const std::string format = given->option("--format").value_or("text");
    if (format != "json" && !contains(tableFormats(), format))
        return "--format is text, markdown, csv, latex or json, not " + inQuotes(format);
    const Result<SplitChoice> choice = splitChoice(*given);
    return choice ? "" : choice.error().message;
}

int notCompared(const Error& error)
{
    std::cerr << "earwright: " << error.message << "\n";
    return engine::kRecipeErrors;
}

} // namespace

int compareRuns(const std::vector<std::string>& words)
{
    const Result<Arguments> given = parseNames(words,
        { "--runs-dir", "--split", "--epoch", "--format", "--baseline", "--group-by" },
        { "--runs" });
    if (const std::string wrong = compareRunsMisuse(given); !wrong.empty())
        return usageError("compare", wrong);
    Result<std::vector<ComparedRun>> runs
        = openRuns(given->positional, given->option("--baseline").value_or(""),
            given->option("--runs-dir").value_or(run::defaultRunsRoot().string()));
    if (!runs)
        return notCompared(runs.error());
    const std::optional<std::string> key = given->option("--group-by");
    const Result<std::vector<RunGroup>> groups
        = key ? groupRuns(*runs, *key) : std::vector<RunGroup>();
    if (!groups)
        return notCompared(groups.error());
    const Result<SplitChoice> choice = splitChoice(*given);
    const RunComparison comparison = compared(std::move(*runs), choice->split, choice->epoch);
    const std::string format = given->option("--format").value_or("text");
    if (key)
        printGroups(comparison, *groups, *key, format);
    else
        printComparison(comparison, format);
    for (const ComparedRun& run : comparison.runs)
        std::cerr << damageLines(run.snapshot.damage);
    for (const std::string& problem : comparison.problems)
        std::cerr << "earwright: " << problem << "\n";
    return comparison.problems.empty() ? engine::kDone : engine::kRecipeErrors;
}

} // namespace earwright::cli
