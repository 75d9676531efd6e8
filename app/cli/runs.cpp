#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/supervised.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"
#include "core/run/follower.h"
#include "core/run/points_csv.h"
#include "core/run/run_filter.h"
#include "core/run/run_settings.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

std::string ratePercent(double value)
{
    char text[32] = "-";
    if (value >= 0)
        std::snprintf(text, sizeof(text), "%.2f", value);
    return text;
}

/// Queued is what nothing was logged of, whether it waits in the queue or not.
std::string stateText(const run::RunSummary& run)
{
    if (run.place > 0 && !run::isLive(run.state))
        return run::stateName(run::State::Queued);
    return run.state == run::State::Queued ? "not started" : run::stateName(run.state);
}

/// What is no finite number is null.
nlohmann::json metricsJson(const run::RunSummary& run)
{
    nlohmann::json metrics = nlohmann::json::object();
    for (const auto& [tag, value] : run.metrics)
        metrics[tag] = value; // dump() writes null for NaN and Inf
    return metrics;
}

nlohmann::json toJson(const run::RunSummary& run)
{
    return { { "path", run.folder.path.string() }, { "name", run.name },
        { "state", stateText(run) }, { "precision", run.precision }, { "devices", run.devices },
        { "epoch", run.epoch }, { "step", run.step }, { "total_steps", run.totalSteps },
        { "test_wer", run.testWer }, { "test_cer", run.testCer }, { "test_rate", run.testRate },
        { "error", run.error }, { "metrics", metricsJson(run) }, { "title", run.notes.name },
        { "tags", run.notes.tags }, { "notes", run.notes.notes },
        { "archived", run.notes.isArchived } };
}

std::string devicesText(const run::RunSummary& run)
{
    std::string text;
    for (const std::string& device : run.devices)
        text += (text.empty() ? "" : ",") + device;
    return text;
}

int printPoints(const Arguments& arguments)
{
    const Result<run::RunFolder> folder = namedRun(arguments);
    if (!folder) {
        std::cerr << "earwright: " << folder.error().message << "\n";
        return engine::kRecipeErrors;
    }
    run::Follower follower(*folder);
    const Result<bool> read = follower.poll();
    std::cout << run::pointsAsCsv(follower.snapshot()); // what can be read, whatever cannot
    std::cerr << damageLines(follower.snapshot().damage);
    if (read)
        return engine::kDone;
    std::cerr << "earwright: " << read.error().message << "\n";
    return engine::kFailed;
}

/// What is wrong with the words of the command; "" = nothing.
std::string runsMisuse(const Result<Arguments>& arguments)
{
    if (!arguments)
        return arguments.error().message;
    const std::string format = arguments->option("--format").value_or("text");
    if (format != "text" && format != "json")
        return "--format is text or json, not '" + format + "'";
    for (const char* option : { "--format", "--tag", "--filter", "--archived" }) {
        if (arguments->has(option) && !arguments->positional.empty())
            return std::string(option) + " is for the list of runs; the points of one are CSV";
    }
    const Result<run::RunFilter> filter
        = run::RunFilter::parse(arguments->option("--filter").value_or(""));
    return filter ? "" : filter.error().message;
}

/// Those that the options ask for. The recipes are read only where the filter needs them.
std::vector<run::RunSummary> chosenRuns(
    const std::vector<run::RunSummary>& runs, const Arguments& arguments)
{
    const Result<run::RunFilter> filter
        = run::RunFilter::parse(arguments.option("--filter").value_or(""));
    const std::optional<std::string> tag = arguments.option("--tag");
    std::vector<run::RunSummary> chosen;
    size_t numArchived = 0;
    for (const run::RunSummary& run : runs) {
        run::RunSettings settings;
        if (filter->needsSettings()) {
            if (const Result<run::RunSettings> read = run::readSettings(run.folder))
                settings = *read;
            else
                std::cerr << "earwright: " << read.error().message << "\n";
        }
        if ((tag && !contains(run.notes.tags, *tag)) || !filter->matches(run, settings))
            continue;
        if (run.notes.isArchived && !arguments.has("--archived"))
            ++numArchived;
        else
            chosen.push_back(run);
    }
    if (numArchived > 0)
        std::cerr << "earwright: " << numArchived
                  << (numArchived == 1 ? " archived run is" : " archived runs are")
                  << " not listed; --archived lists them too\n";
    return chosen;
}

/// What is said where there is no run to list.
std::string noRunsText(const std::filesystem::path& root, bool areThereOthers)
{
    return areThereOthers
        ? "no run in " + root.string() + " is asked for\n"
        : "no runs in " + root.string() + "; start one with `earwright train RECIPE`\n";
}

/// The last columns are left out where they say nothing of any run.
void dropEmptyColumns(std::vector<std::vector<std::string>>& rows)
{
    const auto isSilent
        = [](const std::vector<std::string>& row) { return row.back().empty(); };
    while (rows.size() > 1 && std::all_of(rows.begin() + 1, rows.end(), isSilent))
        for (std::vector<std::string>& row : rows)
            row.pop_back();
}

} // namespace

int runRuns(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments
        = parseNames(words, { "--runs-dir", "--format", "--tag", "--filter" }, { "--archived" }, 1);
    if (const std::string wrong = runsMisuse(arguments); !wrong.empty())
        return usageError("runs", wrong);
    if (!arguments->positional.empty())
        return printPoints(*arguments);
    const std::filesystem::path root
        = arguments->option("--runs-dir").value_or(run::defaultRunsRoot().string());
    const Result<std::vector<run::RunSummary>> runs = run::listRuns(root);
    if (!runs) {
        std::cerr << "earwright: " << runs.error().message << "\n";
        return engine::kFailed;
    }
    const std::vector<run::RunSummary> chosen = chosenRuns(*runs, *arguments);
    std::vector<std::vector<std::string>> rows { { "run", "state", "devices", "precision", "epoch",
        "step", "test WER", "test CER", "tags", "title" } };
    nlohmann::json list = nlohmann::json::array();
    for (const run::RunSummary& run : chosen) {
        list.push_back(toJson(run));
        rows.push_back({ run.folder.path.filename().string(), stateText(run), devicesText(run),
            run.precision, std::to_string(run.epoch),
            std::to_string(run.step) + "/" + std::to_string(run.totalSteps),
            ratePercent(run.testRate == "CER" ? -1 : run.testWer), ratePercent(run.testCer),
            join(run.notes.tags, ","), run.notes.name });
    }
    dropEmptyColumns(rows);
    if (arguments->option("--format") == "json")
        std::cout << list.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    else
        std::cout << (rows.size() == 1 ? noRunsText(root, !runs->empty()) : table(rows));
    for (const run::RunSummary& run : chosen) {
        if (!run.notesError.empty())
            std::cerr << "earwright: " << run.notesError << "\n";
        if (!run.damage.empty())
            std::cerr << run.folder.path.string() << ":\n" << damageLines(run.damage);
    }
    return engine::kDone;
}

} // namespace earwright::cli
