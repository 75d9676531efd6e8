#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/recipe_arguments.h"
#include "app/cli/supervised.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"
#include "core/run/follower.h"
#include "core/run/test_scores.h"

#include <cmath>
#include <cstdio>
#include <iostream>

namespace kymo::cli {

namespace {

std::string number(const char* pattern, double value)
{
    char text[32] = "-";
    if (std::isfinite(value) && value >= 0)
        std::snprintf(text, sizeof(text), pattern, value);
    return text;
}

/// Steps per second of training alone, over all steps but the first five: validation and start-up
/// are not in it.
double trainingSpeed(const run::Snapshot& snapshot)
{
    const auto found = snapshot.series.find("train/it_per_s");
    if (found == snapshot.series.end())
        return -1;
    double seconds = 0;
    double steps = 0;
    for (const run::Point& point : found->second.points()) {
        if (point.step > 5 && point.value > 0) {
            seconds += 1 / point.value;
            steps += 1;
        }
    }
    return steps > 0 ? steps / seconds : -1;
}

std::string provedDtype(const run::Snapshot& snapshot)
{
    std::string text;
    for (const run::DtypeCensus& census : snapshot.census) {
        if (census.stage != "train")
            continue;
        text.clear();
        for (const auto& [dtype, share] : census.shareByDtype)
            text += (text.empty() ? "" : " ") + dtype + " " + number("%.0f", share * 100) + "%";
    }
    return text.empty() ? "-" : text;
}

std::vector<std::string> row(
    const std::string& precision, const run::Snapshot& snapshot, double baseline)
{
    const double speed = trainingSpeed(snapshot);
    const auto series = snapshot.series.find("train/loss");
    const double loss = series == snapshot.series.end() || series->second.points().empty()
        ? -1
        : series->second.points().back().value;
    const std::vector<run::Evaluated> tests = run::testScores(snapshot);
    const bool hasWords = !tests.empty() && tests.front().rate != "CER";
    return { precision, run::stateName(snapshot.state), provedDtype(snapshot),
        number("%.2f", speed), number("%.2f", speed / baseline), number("%.4f", loss),
        number("%.2f", hasWords ? tests.front().wer : -1),
        number("%.2f", tests.empty() ? -1 : tests.front().cer) };
}

} // namespace

int runCompare(const std::vector<std::string>& words)
{
    const Accepted accepted { "compare", { "--precisions", "--runs-dir" } };
    const Result<Arguments> given = parseArguments(words,
        { "--devices", "--precision", "--eval-precision", "--precisions", "--runs-dir" }, {}, 1);
    if (!given || !given->has("--precisions") || given->positional.empty())
        return usageError(
            "compare", given ? "name a recipe and --precisions fp32,bf16" : given.error().message);
    std::vector<std::vector<std::string>> rows { { "precision", "state", "matrix work", "it/s",
        "speed-up", "train loss", "WER %", "CER %" } };
    double baseline = 0;
    int worst = engine::kDone;
    for (const std::string& precision : split(*given->option("--precisions"), ',')) {
        std::vector<std::string> asked = words;
        asked.insert(asked.end(), { "--precision", precision });
        Arguments arguments;
        int exitCode = 0;
        const std::optional<plan::Plan> plan = planFrom(accepted, asked, arguments, exitCode);
        if (!plan)
            return exitCode;
        const std::filesystem::path root
            = arguments.option("--runs-dir").value_or(run::defaultRunsRoot().string());
        const Result<run::RunFolder> folder
            = run::createRunFolder(run::freshRunPath(root, plan->name + "-" + precision), *plan);
        if (!folder) {
            std::cerr << "kymo: " << folder.error().message << "\n";
            return engine::kFailed;
        }
        worst = std::max(worst, superviseAndReport(*folder, *plan));
        run::Follower follower(*folder);
        if (follower.poll() && baseline == 0)
            baseline = trainingSpeed(follower.snapshot());
        rows.push_back(row(precision, follower.snapshot(), baseline));
        if (worst == engine::kStopped)
            break;
    }
    std::cout << table(rows);
    return worst;
}

} // namespace kymo::cli
