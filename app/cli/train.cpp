#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/recipe_arguments.h"
#include "app/cli/supervised.h"
#include "core/engine/keeper.h"
#include "core/engine/rank_main.h"
#include "core/run/run_folder.h"

#include <iostream>

namespace kymo::cli {

namespace {

/// What went wrong has been said.
std::optional<run::RunFolder> newFolder(const Arguments& arguments, const plan::Plan& plan)
{
    const auto dir = arguments.option("--run-dir");
    const std::filesystem::path root
        = arguments.option("--runs-dir").value_or(run::defaultRunsRoot().string());
    const Result<run::RunFolder> folder = run::createRunFolder(
        dir ? std::filesystem::path(*dir) : run::freshRunPath(root, plan.name), plan);
    if (folder)
        return *folder;
    std::cerr << "kymo: " << folder.error().message << "\n";
    return {};
}

} // namespace

int runTrain(const std::vector<std::string>& words)
{
    Arguments arguments;
    int exitCode = 0;
    const std::optional<plan::Plan> plan
        = planFrom({ "train", { "--run-dir", "--runs-dir" } }, words, arguments, exitCode);
    if (!plan)
        return exitCode;
    const std::optional<run::RunFolder> folder = newFolder(arguments, *plan);
    if (!folder)
        return engine::kFailed;
    return superviseAndReport(*folder, *plan);
}

int runPlan(const std::vector<std::string>& words)
{
    Arguments arguments;
    int exitCode = 0;
    const std::optional<plan::Plan> plan
        = planFrom({ "plan", { "--run-dir", "--runs-dir" } }, words, arguments, exitCode);
    if (!plan)
        return exitCode;
    const std::optional<run::RunFolder> folder = newFolder(arguments, *plan);
    if (!folder)
        return engine::kFailed;
    std::vector<std::vector<std::string>> rows { { "setting", "value", "from", "place",
        "read by" } };
    for (const check::Provenance& setting : plan->provenance)
        rows.push_back(
            { setting.key, setting.value, setting.source, setting.place, setting.consumer });
    std::cout << table(rows) << "run: " << folder->path.string() << "\n";
    return engine::kDone;
}

int runKeep(const std::vector<std::string>& words)
{
    if (words.size() != 1)
        return usageError("keep", "which run folder?");
    return engine::keepRun(run::RunFolder { words[0] });
}

int runRank(const std::vector<std::string>& words)
{
    if (words.size() != 1)
        return usageError("rank", "which run folder?");
    return engine::runRank(run::RunFolder { words[0] });
}

} // namespace kymo::cli
