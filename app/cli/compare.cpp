#include "app/cli/command.h"
#include "app/cli/compare_runs.h"
#include "app/cli/progress.h"
#include "app/cli/recipe_arguments.h"
#include "app/cli/supervised.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"
#include "core/run/comparison.h"
#include "core/run/follower.h"
#include "core/run/test_scores.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace earwright::cli {

namespace {

std::string number(const char* pattern, double value)
{
    char text[32] = "-";
    if (std::isfinite(value) && value >= 0)
        std::snprintf(text, sizeof(text), pattern, value);
    return text;
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

/// A run that was trained.
struct Trained {
    std::string precision;
    run::Snapshot snapshot;

    double speed() const { return run::trainingSpeed(snapshot); }
};

/// "1.31" of a run's speed by that of another; "-" where one of them is unknown.
std::string ratioText(const Trained& run, const Trained& to)
{
    return number("%.2f", to.speed() > 0 ? run.speed() / to.speed() : -1);
}

/// `tf32`: null where no run is in it.
std::vector<std::string> row(const Trained& run, const Trained& baseline, const Trained* tf32)
{
    const auto& [precision, snapshot] = run;
    const auto series = snapshot.series.find("train/loss");
    const double loss = series == snapshot.series.end() || series->second.points().empty()
        ? -1
        : series->second.points().back().value;
    const std::vector<run::Evaluated> tests = run::testScores(snapshot);
    const bool hasWords = !tests.empty() && tests.front().rate != "CER";
    std::vector<std::string> cells { precision, run::stateName(snapshot.state),
        provedDtype(snapshot), number("%.2f", run.speed()), ratioText(run, baseline) };
    if (tf32)
        cells.push_back(ratioText(run, *tf32));
    cells.insert(cells.end(),
        { number("%.4f", loss), number("%.2f", hasWords ? tests.front().wer : -1),
            number("%.2f", tests.empty() ? -1 : tests.front().cer) });
    return cells;
}

/// A header, and a row a run. The ratio to tf32 is there where a run is in it, and not the first.
std::vector<std::vector<std::string>> tableOf(const std::vector<Trained>& runs)
{
    const auto found = std::find_if(
        runs.begin(), runs.end(), [](const Trained& run) { return run.precision == "tf32"; });
    const Trained* tf32 = found == runs.end() || found == runs.begin() ? nullptr : &*found;
    std::vector<std::vector<std::string>> rows { { "precision", "state", "matrix work", "it/s",
        "speed-up" } };
    if (tf32)
        rows.front().emplace_back("to tf32");
    rows.front().insert(rows.front().end(), { "train loss", "WER %", "CER %" });
    for (const Trained& run : runs)
        rows.push_back(row(run, runs.front(), tf32));
    return rows;
}

struct Compared {
    std::string precision;
    plan::Plan plan;
};

/// The words between the commas, each once.
Result<std::vector<std::string>> precisionsOf(const std::string& list)
{
    std::vector<std::string> precisions;
    for (const std::string& part : split(list, ',')) {
        const std::string precision(trim(part));
        const bool isRepeated
            = std::find(precisions.begin(), precisions.end(), precision) != precisions.end();
        if (precision.empty() || isRepeated)
            return Error { "--precisions " + inQuotes(list)
                + (isRepeated ? " has " + precision + " twice" : " has an empty place")
                + ": name each precision once, such as fp32,bf16" };
        precisions.push_back(precision);
    }
    return precisions;
}

/// What is wrong with the words of the command; "" = nothing.
std::string compareMisuse(const Result<Arguments>& given)
{
    if (!given)
        return given.error().message;
    if (const auto one = given->option("--precision"))
        return "--precision names one: write --precisions " + *one;
    if (!given->has("--precisions") || given->positional.empty())
        return "name a recipe and --precisions fp32,bf16, or runs that are there: --runs A B";
    const auto precisions = precisionsOf(*given->option("--precisions"));
    return precisions ? "" : precisions.error().message;
}

/// All of them before the first run; none where a recipe cannot run in one.
std::vector<Compared> plansOf(const std::vector<std::string>& precisions,
    const std::vector<std::string>& words, int& exitCode)
{
    std::vector<Compared> plans;
    for (const std::string& precision : precisions) {
        std::vector<std::string> asked = words;
        asked.insert(asked.end(), { "--precision", precision });
        Arguments arguments;
        std::optional<plan::Plan> plan
            = planFrom({ "compare", { "--precisions", "--runs-dir" } }, asked, arguments, exitCode);
        if (!plan)
            return {};
        plans.push_back({ precision, std::move(*plan) });
    }
    return plans;
}

} // namespace

int runCompare(const std::vector<std::string>& words)
{
    if (contains(words, std::string("--runs")))
        return compareRuns(words);
    const Result<Arguments> given = parseArguments(words,
        { "--devices", "--precision", "--eval-precision", "--precisions", "--runs-dir" }, {}, 1);
    if (const std::string wrong = compareMisuse(given); !wrong.empty())
        return usageError("compare", wrong);
    const std::filesystem::path root
        = given->option("--runs-dir").value_or(run::defaultRunsRoot().string());
    std::vector<Trained> runs;
    int worst = engine::kDone;
    for (const auto& [precision, plan] :
        plansOf(*precisionsOf(*given->option("--precisions")), words, worst)) {
        const Result<run::RunFolder> folder
            = run::createRunFolder(run::freshRunPath(root, plan.name + "-" + precision), plan);
        if (!folder) {
            std::cerr << "earwright: " << folder.error().message << "\n";
            worst = std::max<int>(worst, engine::kFailed);
            break;
        }
        worst = std::max(worst, superviseAndReport(*folder, plan));
        run::Follower follower(*folder);
        if (const Result<bool> read = follower.poll(); !read)
            std::cerr << "earwright: " << read.error().message << "\n";
        runs.push_back({ precision, follower.snapshot() });
        if (worst == engine::kStopped)
            break;
    }
    if (!runs.empty())
        std::cout << table(tableOf(runs));
    return worst;
}

} // namespace earwright::cli
