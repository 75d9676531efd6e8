#include "core/engine/keeper.h"

#include "core/distributed/group.h"
#include "core/distributed/run_store.h"
#include "core/distributed/watch.h"
#include "core/engine/rank_main.h"
#include "core/engine/rank_process.h"
#include "core/run/hold.h"
#include "core/run/store_server.h"

#include <condition_variable>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <mutex>
#include <sys/wait.h>

namespace earwright::engine {

namespace {

constexpr auto kWakeInterval = std::chrono::milliseconds(500);
constexpr auto kCheckpointGrace
    = std::chrono::milliseconds(4500); ///< of 5 s, for a step and its checkpoint

struct Pipe {
    Descriptor out;
    Descriptor in;
};

Result<Pipe> makePipe()
{
    int ends[2] = {};
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return Error { "cannot open a pipe: " + systemError() };
    return Pipe { Descriptor(ends[0]), Descriptor(ends[1]) };
}

void keepAwake(const std::stop_token& stop, pid_t pid)
{
    std::mutex mutex;
    std::condition_variable_any sleep;
    std::unique_lock lock(mutex);
    while (!sleep.wait_for(lock, stop, kWakeInterval, [&] { return stop.stop_requested(); }))
        ::kill(pid, SIGCONT);
}

} // namespace

Keeper::Keeper(pid_t pid, Descriptor words)
    : m_pid(pid)
    , m_words(std::move(words))
    , m_waker(keepAwake, pid)
{
}

Result<Keeper> Keeper::start(const std::filesystem::path& program, const run::RunFolder& folder)
{
    std::error_code ignored;
    std::filesystem::create_directories(folder.path / "logs", ignored);
    Result<Pipe> words = makePipe();
    Result<Pipe> answer = makePipe();
    if (!words || !answer)
        return (words ? answer : words).error();
    const Result<RankProcess> process
        = RankProcess::start({ program.string(), "keep", folder.path.string() }, {},
            folder.path / "logs" / "keeper.log", 0, { words->out.fd(), answer->in.fd() });
    if (!process)
        return process.error();
    Keeper keeper(process->pid(), std::move(words->in));
    answer->in = Descriptor();
    std::string text;
    for (char c = 0; ::read(answer->out.fd(), &c, 1) == 1 && c != '\n';)
        text += c;
    keeper.m_socket = std::move(text);
    if (keeper.m_socket.empty())
        return Error { "the ranks' store could not be served; see "
            + (folder.path / "logs" / "keeper.log").string() };
    return keeper;
}

Keeper::Keeper(Keeper&& other) noexcept
    : m_pid(std::exchange(other.m_pid, 0))
    , m_socket(std::move(other.m_socket))
    , m_words(std::move(other.m_words))
    , m_waker(std::move(other.m_waker))
{
}

Keeper::~Keeper()
{
    if (m_pid == 0)
        return;
    m_waker = {};
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
    if (!m_socket.empty())
        ::unlink(m_socket.c_str()); // it had no time to
}

void Keeper::watchOver(int restart) const
{
    const std::string line = std::to_string(restart) + "\n";
    (void)!::write(m_words.fd(), line.data(), line.size());
}

int keepRun(const run::RunFolder& folder)
{
    for (const int number : { SIGINT, SIGTERM, SIGHUP, SIGPIPE })
        std::signal(number, SIG_IGN); // the ranks decide how long it is needed
    auto served = run::StoreServer::onThisHost();
    if (!served) {
        std::cerr << served.error().message << std::endl;
        return kFailed;
    }
    const std::string socket = (*served)->socketPath();
    std::cout << socket << std::endl;
    int restart = 0;
    for (std::string line; std::getline(std::cin, line);)
        restart = std::atoi(line.c_str());
    // The supervisor is gone.
    distributed::ofAttempt(
        c10::make_intrusive<distributed::RunStore>(run::StoreAddress { socket }), restart)
        ->set(distributed::keys::kStop, std::string("1"));
    if (!run::holdRun(folder, kCheckpointGrace)) {
        ::unlink(socket.c_str());
        ::kill(0, SIGKILL); // the ranks that are left, and this process
    }
    return kDone;
}

} // namespace earwright::engine
