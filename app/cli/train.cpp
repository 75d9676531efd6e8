#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/recipe_arguments.h"
#include "app/cli/supervised.h"
#include "core/engine/keeper.h"
#include "core/engine/rank_main.h"
#include "core/run/run_folder.h"

#include <iostream>

namespace earwright::cli {

namespace {

/// Nothing where none was made; what went wrong has been said.
std::optional<run::RunFolder> newFolder(
    const std::string& command, const Arguments& arguments, const plan::Plan& plan, int& exitCode)
{
    const std::filesystem::path root
        = arguments.option("--runs-dir").value_or(run::defaultRunsRoot().string());
    const auto dir = arguments.option("--run-dir");
    const std::filesystem::path path
        = dir ? std::filesystem::path(*dir) : run::freshRunPath(root, plan.name);
    const Result<run::RunFolder> folder = run::createRunFolder(path, plan);
    if (folder)
        return *folder;
    if (run::isRunFolder(path)) {
        exitCode = usageError(command, folder.error().message);
        return {};
    }
    std::cerr << "earwright: " << folder.error().message << "\n";
    exitCode = engine::kFailed;
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
    const std::optional<run::RunFolder> folder = newFolder("train", arguments, *plan, exitCode);
    if (!folder)
        return exitCode;
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
    const std::optional<run::RunFolder> folder = newFolder("plan", arguments, *plan, exitCode);
    if (!folder)
        return exitCode;
    std::vector<std::vector<std::string>> rows { { "setting", "value", "from", "where",
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

} // namespace earwright::cli
