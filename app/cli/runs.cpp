#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/supervised.h"
#include "core/engine/rank_main.h"
#include "core/run/follower.h"
#include "core/run/points_csv.h"

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

nlohmann::json toJson(const run::RunSummary& run)
{
    return { { "path", run.folder.path.string() }, { "name", run.name },
        { "state", stateText(run) }, { "precision", run.precision }, { "devices", run.devices },
        { "epoch", run.epoch }, { "step", run.step }, { "total_steps", run.totalSteps },
        { "test_wer", run.testWer }, { "test_cer", run.testCer }, { "test_rate", run.testRate },
        { "error", run.error } };
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
    if (arguments->has("--format") && !arguments->positional.empty())
        return "--format is for the list of runs; the points of one are CSV";
    return "";
}

} // namespace

int runRuns(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseNames(words, { "--runs-dir", "--format" }, {}, 1);
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
    std::vector<std::vector<std::string>> rows { { "run", "state", "devices", "precision", "epoch",
        "step", "test WER", "test CER" } };
    nlohmann::json list = nlohmann::json::array();
    for (const run::RunSummary& run : *runs) {
        list.push_back(toJson(run));
        rows.push_back({ run.folder.path.filename().string(), stateText(run), devicesText(run),
            run.precision, std::to_string(run.epoch),
            std::to_string(run.step) + "/" + std::to_string(run.totalSteps),
            ratePercent(run.testRate == "CER" ? -1 : run.testWer), ratePercent(run.testCer) });
    }
    if (arguments->option("--format") == "json")
        std::cout << list.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    else
        std::cout << (rows.size() == 1
                ? "no runs in " + root.string() + "; start one with `earwright train RECIPE`\n"
                : table(rows));
    for (const run::RunSummary& run : *runs) {
        if (!run.damage.empty())
            std::cerr << run.folder.path.string() << ":\n" << damageLines(run.damage);
    }
    return engine::kDone;
}

} // namespace earwright::cli
