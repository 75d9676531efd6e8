#include "core/engine/queue_server.h"

#include "core/base/file.h"
#include "core/engine/rank_process.h"
#include "core/run/event_log.h"
#include "core/run/queue.h"
#include "core/run/run_folder.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>
#include <thread>

namespace earwright::engine {

namespace {

constexpr auto kLookInterval = std::chrono::milliseconds(200);

/// A plan never changes, and each costs two files to read.
const std::vector<std::string>& devicesOf(const std::filesystem::path& run)
{
    static std::map<std::filesystem::path, std::vector<std::string>> known;
    const auto found = known.find(run);
    if (found != known.end())
        return found->second;
    const Result<plan::Plan> plan = run::readPlan(run::RunFolder { run });
    return known[run] = plan ? plan->devices : std::vector<std::string> {};
}

std::string lastLine(std::string text)
{
    text.erase(text.find_last_not_of('\n') + 1);
    return text.substr(text.rfind('\n') + 1);
}

/// A run that could not even start has logged nothing: its folder would say that it never was
/// tried. A run that an earlier attempt left events of keeps what those say.
void tellFailedStart(const run::RunFolder& folder, const ExitStatus& end)
{
    const bool hasFailed = end.signal != 0 || end.code != 0;
    if (!hasFailed || run::observedState(folder, {}) != run::State::Queued)
        return;
    const Result<std::string> output = readFile(folder.log(-1));
    const std::string said = output ? lastLine(*output) : std::string();
    const auto events = run::EventWriter::open(folder.events(-1), 0);
    if (events)
        (*events)->write({ 0, run::Finished { "failed", said.empty() ? describe(end) : said } });
}

class Server final {
public:
    Server(const std::filesystem::path& root, const std::filesystem::path& program)
        : m_root(root)
        , m_program(program)
    {
    }

    /// Starts at most one run; false when there is nothing left to do.
    Result<bool> look();

private:
    std::set<std::string> used() const;
    bool isStarting() const;
    Status start(const std::string& run);

    const std::filesystem::path& m_root;
    const std::filesystem::path& m_program;
    std::map<std::string, RankProcess> m_started; ///< supervisors that have not left yet, by run
};

/// A supervisor that was just started has no lock yet.
std::set<std::string> Server::used() const
{
    std::set<std::string> used;
    for (const auto& [device, run] : devicesInUse(m_root))
        used.insert(device);
    for (const auto& [run, process] : m_started)
        used.merge(run::devicesTaken(devicesOf(run)));
    return used;
}

/// Until a run has its lock, or has ended, no other process sees that its devices are taken.
bool Server::isStarting() const
{
    return std::any_of(m_started.begin(), m_started.end(),
        [](const auto& started) { return !run::liveLock(run::RunFolder { started.first }); });
}

Status Server::start(const std::string& run)
{
    const run::RunFolder folder { run };
    std::error_code ignored;
    std::filesystem::create_directories(folder.log(-1).parent_path(), ignored);
    Result<RankProcess> process
        = RankProcess::start({ m_program.string(), "resume", run }, {}, folder.log(-1));
    if (!process)
        return process.error();
    std::cout << "started " << run << std::endl;
    m_started.insert_or_assign(run, std::move(*process));
    return Done {};
}

Result<bool> Server::look()
{
    for (auto entry = m_started.begin(); entry != m_started.end();) {
        const std::optional<ExitStatus> end = entry->second.poll();
        if (end) {
            std::cout << entry->first << " " << describe(*end) << std::endl;
            tellFailedStart(run::RunFolder { entry->first }, *end);
        }
        entry = end ? m_started.erase(entry) : std::next(entry);
    }
    const Result<run::Queue> queue = run::readQueue(m_root);
    if (!queue)
        return queue.error();
    if (queue->isStopped || queue->runs.empty())
        return isStarting();
    std::vector<std::vector<std::string>> waiting;
    for (const std::string& run : queue->runs)
        waiting.push_back(devicesOf(run));
    const std::optional<size_t> next = run::nextToStart(waiting, used());
    if (!next)
        return true;
    const std::string run = queue->runs[*next];
    if (const Status started = start(run); !started)
        std::cout << run << ": " << started.error().message << std::endl; // the others go on
    // Taken out when it is started: a process that dies between the two starts it again, and the
    // run's hold refuses the second one.
    const Status removed = run::editQueue(m_root, [&](run::Queue& q) {
        std::erase(q.runs, run);
        return Status(Done {});
    });
    return removed ? Result<bool>(true) : Result<bool>(removed.error());
}

} // namespace

std::map<std::string, std::filesystem::path> devicesInUse(const std::filesystem::path& root)
{
    std::map<std::string, std::filesystem::path> inUse;
    std::error_code error;
    std::filesystem::directory_iterator entry(root, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (!run::liveLock(run::RunFolder { entry->path() }))
            continue;
        for (const std::string& device : run::devicesTaken(devicesOf(entry->path())))
            inUse.emplace(device, entry->path());
    }
    return inUse;
}

Status serveQueue(const std::filesystem::path& root, const std::filesystem::path& program)
{
    Server server(root, program);
    for (;;) {
        {
            const Result<Descriptor> owner = run::ownQueue(root);
            if (!owner)
                return owner.error();
            for (Result<bool> more = true; *more; std::this_thread::sleep_for(kLookInterval)) {
                more = server.look();
                if (!more)
                    return more.error();
            }
        }
        // Who added a run meanwhile saw this process and started none.
        const Result<run::Queue> queue = run::readQueue(root);
        if (!queue || queue->isStopped || queue->runs.empty())
            return queue ? Status(Done {}) : Status(queue.error());
    }
}

Status startQueueServer(const std::filesystem::path& root, const std::filesystem::path& program)
{
    if (run::queueOwner(root) != 0)
        return Done {};
    const Result<RankProcess> process
        = RankProcess::start({ program.string(), "queue", "serve", "--runs-dir", root.string() },
            {}, root / "queue.log");
    if (!process)
        return process.error();
    return Done {};
}

} // namespace earwright::engine
