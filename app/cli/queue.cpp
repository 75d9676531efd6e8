#include "core/run/queue.h"
#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/recipe_arguments.h"
#include "app/cli/supervised.h"
#include "core/base/number.h"
#include "core/engine/queue_server.h"
#include "core/engine/rank_main.h"
#include "core/engine/resume.h"
#include "core/engine/supervisor.h"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <limits>

namespace earwright::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const fs::path kSelf = "/proc/self/exe";

int failed(const Error& error)
{
    std::cerr << "earwright: " << error.message << "\n";
    return engine::kFailed;
}

/// A fresh run of a recipe. Nothing, and an exit code, where it is none.
std::optional<run::RunFolder> newRun(
    const fs::path& root, const std::string& recipe, const Words& overrides, int& exitCode)
{
    Words words { recipe };
    words.insert(words.end(), overrides.begin(), overrides.end());
    Arguments arguments;
    const std::optional<plan::Plan> plan = planFrom({ "queue" }, words, arguments, exitCode);
    if (!plan)
        return {};
    const Result<run::RunFolder> folder
        = run::createRunFolder(run::freshRunPath(root, plan->name), *plan);
    if (!folder) {
        exitCode = failed(folder.error());
        return {};
    }
    return *folder;
}

Status serveUnlessStopped(const fs::path& root)
{
    const Result<run::Queue> queue = run::readQueue(root);
    if (!queue)
        return queue.error();
    return queue->isStopped || queue->runs.empty()
        ? Status(Done {})
        : engine::startQueueServer(root, fs::canonical(kSelf));
}

/// An Error where its turn would change nothing: it ended as done, and is to go on as it was.
Status checkUnfinished(const run::RunFolder& folder)
{
    const Result<plan::Plan> plan = run::readPlan(folder);
    const Result<run::Edits> edits = plan ? run::editsOf(folder, *plan) : plan.error();
    if (!edits || edits->recipe || edits->resolved)
        return Done {}; // its start says what becomes of it
    const std::string finished = engine::finishedWords(folder, *plan);
    return finished.empty() ? Status(Done {}) : Status(Error { finished });
}

Status append(const fs::path& root, const run::RunFolder& folder)
{
    if (const Status runnable = engine::checkRunnable(folder); !runnable)
        return runnable;
    if (const Status unfinished = checkUnfinished(folder); !unfinished)
        return unfinished;
    return run::editQueue(root, [&](run::Queue& queue) -> Status {
        const std::string entry = run::queueEntry(folder.path);
        if (std::find(queue.runs.begin(), queue.runs.end(), entry) != queue.runs.end())
            return Error { "'" + entry + "' is in the queue already" };
        queue.runs.push_back(entry);
        return Done {};
    });
}

int add(const fs::path& root, const Arguments& arguments)
{
    const Words& targets = arguments.positional;
    const Words& overrides = arguments.overrides;
    if (targets.empty())
        return usageError("queue", "which run or recipe?");
    std::vector<std::optional<run::RunFolder>> folders;
    for (const std::string& target : targets) {
        const Result<run::RunFolder> run = findRun(target, root);
        folders.push_back(run ? std::optional(*run) : std::nullopt);
        if (run && !overrides.empty())
            return usageError("queue",
                "'" + target + "' is a run, whose settings stay as they are: add it without '"
                    + overrides.front() + "'");
    }
    for (size_t i = 0; i < targets.size(); ++i) {
        int exitCode = 0;
        const auto folder = folders[i] ? folders[i] : newRun(root, targets[i], overrides, exitCode);
        if (!folder)
            return exitCode;
        if (const Status added = append(root, *folder); !added)
            return failed(added.error());
        std::cout << folder->path.filename().string() << " is in the queue\n";
    }
    const Status served = serveUnlessStopped(root);
    return served ? engine::kDone : failed(served.error());
}

std::string stateOfQueue(const fs::path& root, const run::Queue& queue)
{
    if (queue.isStopped)
        return "stopped: `earwright queue start` goes on with it";
    const int64_t owner = run::queueOwner(root);
    if (owner != 0)
        return "served by process " + std::to_string(owner);
    return queue.runs.empty() ? "empty" : "not served: `earwright queue start` goes on with it";
}

int list(const fs::path& root, const Arguments&)
{
    const Result<run::Queue> queue = run::readQueue(root);
    if (!queue)
        return failed(queue.error());
    std::vector<Words> rows { { "place", "run", "devices", "waits for" } };
    const std::map<std::string, fs::path> inUse = engine::devicesInUse(root);
    for (size_t i = 0; i < queue->runs.size(); ++i) {
        const Result<plan::Plan> plan = run::readPlan(run::RunFolder { queue->runs[i] });
        std::string devices;
        std::string reason = i == 0 ? "its start" : "those before it";
        for (const std::string& device :
            plan ? run::devicesTaken(plan->devices) : std::set<std::string> {}) {
            devices += (devices.empty() ? "" : ",") + device;
            if (const auto user = inUse.find(device); user != inUse.end())
                reason = device + " (" + user->second.filename().string() + ")";
        }
        rows.push_back({ std::to_string(i + 1), fs::path(queue->runs[i]).filename().string(),
            devices, plan ? reason : plan.error().message });
    }
    if (rows.size() > 1)
        std::cout << table(rows);
    std::cout << "queue: " << stateOfQueue(root, *queue) << "\n";
    return engine::kDone;
}

/// The place of a run, named by path or name, or by the name of a folder that is gone.
Result<std::vector<std::string>::iterator> find(run::Queue& queue, const std::string& name)
{
    const auto found
        = std::find_if(queue.runs.begin(), queue.runs.end(), [&](const std::string& run) {
              return run == name || fs::path(run).filename() == fs::path(name).filename();
          });
    if (found == queue.runs.end())
        return Error { "'" + name + "' is not in the queue; `earwright queue list` shows what is" };
    return found;
}

int edit(const fs::path& root, const std::function<Status(run::Queue&)>& change)
{
    const Status edited = run::editQueue(root, change);
    if (!edited) {
        std::cerr << "earwright: " << edited.error().message << "\n";
        return engine::kRecipeErrors;
    }
    return list(root, {});
}

int move(const fs::path& root, const Arguments& arguments)
{
    const Words& words = arguments.positional;
    const int place = words.size() == 2 ? parseNumber<int>(words[1]).value_or(0) : 0;
    if (place < 1)
        return usageError("queue", "move which run to which place (1 = next)?");
    return edit(root, [&](run::Queue& queue) -> Status {
        const auto found = find(queue, words[0]);
        if (!found)
            return found.error();
        const std::string run = **found;
        queue.runs.erase(*found);
        queue.runs.insert(
            queue.runs.begin() + std::min<std::ptrdiff_t>(place - 1, std::ssize(queue.runs)), run);
        return Done {};
    });
}

int remove(const fs::path& root, const Arguments& arguments)
{
    const Words& words = arguments.positional;
    if (words.empty())
        return usageError("queue", "remove which run?");
    return edit(root, [&](run::Queue& queue) -> Status {
        for (const std::string& word : words) {
            const auto found = find(queue, word);
            if (!found)
                return found.error();
            queue.runs.erase(*found);
        }
        return Done {};
    });
}

int setStopped(const fs::path& root, bool isStopped)
{
    const Status edited = run::editQueue(root, [&](run::Queue& queue) {
        queue.isStopped = isStopped;
        return Status(Done {});
    });
    const Status served = edited ? serveUnlessStopped(root) : edited;
    if (!served)
        return failed(served.error());
    std::cout << (isStopped ? "no more runs are started; those that run go on\n"
                            : "runs are started as their devices become free\n");
    return engine::kDone;
}

int start(const fs::path& root, const Arguments&)
{
    return setStopped(root, false);
}

int stop(const fs::path& root, const Arguments&)
{
    return setStopped(root, true);
}

int serve(const fs::path& root, const Arguments&)
{
    std::signal(SIGHUP, SIG_IGN); // it outlives the terminal
    const Status served = engine::serveQueue(root, fs::canonical(kSelf));
    return served ? engine::kDone : failed(served.error());
}

struct Action {
    std::string_view name;
    int (*run)(const fs::path& root, const Arguments& arguments);
    size_t numNames; ///< at most
};

constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();
constexpr Action kActions[] = { { "add", add, kAnyNumber }, { "list", list, 0 },
    { "move", move, 2 }, { "remove", remove, kAnyNumber }, { "start", start, 0 },
    { "stop", stop, 0 }, { "serve", serve, 0 } };

/// Only what is added may be a recipe, with options and overrides of a run.
Result<Arguments> argumentsOf(const Action& action, const Words& words)
{
    const Words options { "--runs-dir" };
    return action.run == add ? parseArguments(words, options, {}, action.numNames)
                             : parseNames(words, options, {}, action.numNames);
}

} // namespace

int runQueue(const std::vector<std::string>& words)
{
    const auto* action = std::find_if(std::begin(kActions), std::end(kActions),
        [&](const Action& a) { return !words.empty() && a.name == words[0]; });
    if (action == std::end(kActions))
        return usageError("queue", "add, list, move, remove, start or stop?");
    const Result<Arguments> arguments = argumentsOf(*action, { words.begin() + 1, words.end() });
    if (!arguments)
        return usageError("queue", arguments.error().message);
    const auto given = arguments->option("--runs-dir");
    return action->run(given ? fs::absolute(*given) : run::defaultRunsRoot(), *arguments);
}

} // namespace earwright::cli
