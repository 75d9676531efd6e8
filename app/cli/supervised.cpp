#include "app/cli/supervised.h"

#include "app/cli/interrupts.h"
#include "app/cli/progress.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"
#include "core/engine/supervisor.h"
#include "core/run/capsule.h"
#include "core/run/follower.h"

#include <csignal>
#include <iostream>

namespace earwright::cli {

namespace {

int exitCodeOf(run::State state)
{
    if (state == run::State::Done)
        return engine::kDone;
    return state == run::State::Stopped ? engine::kStopped : engine::kFailed;
}

} // namespace

int superviseAndReport(
    const run::RunFolder& folder, const plan::Plan& plan, const std::vector<run::Message>& notes)
{
    catchInterrupts();
    std::signal(SIGPIPE, SIG_IGN);
    std::cerr << "run: " << folder.path.string() << std::endl;
    const Result<run::State> state = engine::supervise(folder, plan,
        { .progress = progressPrinter(),
            .stopRequests = interruptCount,
            .started = [](pid_t group) { endWithProgram(-group); },
            .notes = notes });
    endWithProgram(0);
    if (!state) {
        std::cerr << "earwright: " << state.error().message << "\n";
        return engine::kFailed;
    }
    run::Follower follower(folder);
    const Result<bool> read = follower.poll();
    if (!read)
        std::cerr << "earwright: " << read.error().message << "\n";
    std::cout << resultText(folder, follower.snapshot()) << std::flush;
    return exitCodeOf(*state);
}

Result<run::RunFolder> findRun(const std::string& nameOrPath, const std::filesystem::path& root)
{
    for (const std::filesystem::path& path :
        { std::filesystem::path(nameOrPath), root / nameOrPath }) {
        if (std::filesystem::exists(path / "plan.json"))
            return run::RunFolder { path };
    }
    if (run::isCapsuleFile(nameOrPath))
        return Error { "'" + nameOrPath
            + "' is a capsule of earwright export, no run: `earwright transcribe` takes it, "
              "earwright-studio "
              "shows "
              "it, and unpacked (it is a zip archive) it is a run that has ended" };
    const Result<std::vector<run::RunSummary>> runs = run::listRuns(root);
    if (!runs)
        return runs.error();
    constexpr size_t kMostNames = 5;
    std::vector<std::string> known;
    for (const run::RunSummary& summary : *runs)
        known.push_back(summary.folder.path.filename().string());
    const std::string near = nearestName(nameOrPath, known);
    return Error { "no run '" + nameOrPath + "' here or in " + root.string()
        + (known.empty()       ? "; there are no runs yet"
                : near.empty() ? "; there are: " + listFirst(std::move(known), kMostNames)
                               : "; did you mean " + near + "?") };
}

Result<run::RunFolder> namedRun(const Arguments& arguments)
{
    return findRun(arguments.positional.front(),
        arguments.option("--runs-dir").value_or(run::defaultRunsRoot().string()));
}

} // namespace earwright::cli
