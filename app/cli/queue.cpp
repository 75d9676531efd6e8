#include "core/run/queue.h"
#include "app/cli/command.h"
#include "app/cli/progress.h"
#include "app/cli/recipe_arguments.h"
#include "app/cli/supervised.h"
#include "core/engine/queue_server.h"
#include "core/engine/rank_main.h"

#include <algorithm>
#include <csignal>
#include <iostream>

namespace kymo::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const fs::path kSelf = "/proc/self/exe";

int failed(const Error& error)
{
    std::cerr << "kymo: " << error.message << "\n";
    return engine::kFailed;
}

/// Runs and recipes stand before the options and overrides.
size_t countTargets(const Words& words)
{
    const auto end = std::find_if(words.begin(), words.end(), [](const std::string& word) {
        return word.starts_with("-") || word.starts_with("+")
            || word.find('=') != std::string::npos;
    });
    return static_cast<size_t>(end - words.begin());
}

/// The run folder of a target: a run, or a fresh one of a recipe. Nothing, and an exit code, where
/// it is neither.
std::optional<run::RunFolder> folderOf(
    const fs::path& root, const std::string& target, const Words& rest, int& exitCode)
{
    if (run::isRunFolder(root / target))
        return run::RunFolder { root / target };
    if (const Result<run::RunFolder> run = findRun(target))
        return *run;
    Words words { target };
    words.insert(words.end(), rest.begin(), rest.end());
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

int add(const fs::path& root, const Words& words)
{
    const size_t count = countTargets(words);
    if (count == 0)
        return usageError("queue", "which run or recipe?");
    const Words rest(words.begin() + static_cast<std::ptrdiff_t>(count), words.end());
    for (size_t i = 0; i < count; ++i) {
        int exitCode = 0;
        const std::optional<run::RunFolder> folder = folderOf(root, words[i], rest, exitCode);
        if (!folder)
            return exitCode;
        const Status added = run::editQueue(root, [&](run::Queue& queue) -> Status {
            const std::string entry = run::queueEntry(folder->path);
            if (std::find(queue.runs.begin(), queue.runs.end(), entry) != queue.runs.end())
                return Error { "'" + entry + "' is in the queue already" };
            if (run::liveLock(*folder))
                return Error { "'" + entry + "' is running already" };
            queue.runs.push_back(entry);
            return Done {};
        });
        if (!added)
            return failed(added.error());
        std::cout << folder->path.filename().string() << " is in the queue\n";
    }
    const Status served = serveUnlessStopped(root);
    return served ? engine::kDone : failed(served.error());
}

std::string stateOfQueue(const fs::path& root, const run::Queue& queue)
{
    if (queue.isStopped)
        return "stopped: `kymo queue start` goes on with it";
    const int64_t owner = run::queueOwner(root);
    if (owner != 0)
        return "served by process " + std::to_string(owner);
    return queue.runs.empty() ? "empty" : "not served: `kymo queue start` goes on with it";
}

int list(const fs::path& root, const Words&)
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
        return Error { "'" + name + "' is not in the queue; `kymo queue list` shows what is" };
    return found;
}

int edit(const fs::path& root, const std::function<Status(run::Queue&)>& change)
{
    const Status edited = run::editQueue(root, change);
    if (!edited) {
        std::cerr << "kymo: " << edited.error().message << "\n";
        return engine::kRecipeErrors;
    }
    return list(root, {});
}

int move(const fs::path& root, const Words& words)
{
    const int place = words.size() == 2 ? std::atoi(words[1].c_str()) : 0;
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

int remove(const fs::path& root, const Words& words)
{
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

int start(const fs::path& root, const Words&)
{
    return setStopped(root, false);
}

int stop(const fs::path& root, const Words&)
{
    return setStopped(root, true);
}

int serve(const fs::path& root, const Words&)
{
    std::signal(SIGHUP, SIG_IGN); // it outlives the terminal
    const Status served = engine::serveQueue(root, fs::canonical(kSelf));
    return served ? engine::kDone : failed(served.error());
}

} // namespace

int runQueue(const std::vector<std::string>& words)
{
    constexpr std::pair<std::string_view, int (*)(const fs::path&, const Words&)> kActions[]
        = { { "add", add }, { "list", list }, { "move", move }, { "remove", remove },
              { "start", start }, { "stop", stop }, { "serve", serve } };
    const auto* action = std::find_if(std::begin(kActions), std::end(kActions),
        [&](const auto& a) { return !words.empty() && a.first == words[0]; });
    if (action == std::end(kActions))
        return usageError("queue", "add, list, move, remove, start or stop?");
    Words rest(words.begin() + 1, words.end());
    fs::path root = run::defaultRunsRoot();
    if (const auto given = std::find(rest.begin(), rest.end(), "--runs-dir"); given != rest.end()) {
        if (given + 1 == rest.end())
            return usageError("queue", "option --runs-dir needs a value");
        root = fs::absolute(*(given + 1));
        rest.erase(given, given + 2);
    }
    return action->second(root, rest);
}

} // namespace kymo::cli
