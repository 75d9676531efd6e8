#include "core/distributed/thread_stack.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <cxxabi.h>
#include <execinfo.h>
#include <memory>
#include <mutex>
#include <semaphore.h>

namespace earwright::distributed {

namespace {

constexpr int kSignal = SIGUSR2;
constexpr long kAnswerNs = 500'000'000;
constexpr int kHandlerFrames = 2; ///< the handler and the kernel's trampoline

/// Written by the handler, in the thread that is asked; read once it has answered.
std::array<void*, 48> frames;
int frameCount = 0;
sem_t answered;

void onSignal(int)
{
    frameCount = backtrace(frames.data(), static_cast<int>(frames.size()));
    sem_post(&answered);
}

void prepare()
{
    sem_init(&answered, 0, 0);
    // The first call loads the unwinder, which allocates: not in a handler.
    backtrace(frames.data(), 1);
    struct sigaction action { };
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigaction(kSignal, &action, nullptr);
}

bool waitForAnswer()
{
    timespec until {};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += kAnswerNs;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    while (sem_timedwait(&answered, &until) != 0) {
        if (errno != EINTR)
            return false;
    }
    return true;
}

/// "lib.so(_ZN1a1bEv+0x1f) [0x7f…]" -> "a::b() in lib.so"; as it is where there is no name.
std::string readable(const std::string& symbol)
{
    const size_t open = symbol.find('(');
    const size_t plus = symbol.find('+', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || plus == std::string::npos || plus == open + 1)
        return symbol;
    const std::string name = symbol.substr(open + 1, plus - open - 1);
    int problem = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &problem), &std::free);
    const size_t slash = symbol.rfind('/', open);
    const size_t file = slash == std::string::npos ? 0 : slash + 1;
    return (plain ? plain.get() : name) + " in " + symbol.substr(file, open - file);
}

} // namespace

std::string stackOf(pthread_t thread)
{
    static std::mutex oneAtATime;
    const std::lock_guard lock(oneAtATime);
    static const bool ready = (prepare(), true);
    (void)ready;
    while (sem_trywait(&answered) == 0) { } // an answer that came too late for its question
    if (pthread_kill(thread, kSignal) != 0 || !waitForAnswer())
        return {};
    const std::unique_ptr<char*, decltype(&std::free)> symbols(
        backtrace_symbols(frames.data(), frameCount), &std::free);
    std::string text;
    for (int i = kHandlerFrames; symbols && i < frameCount; ++i)
        text
            += "  #" + std::to_string(i - kHandlerFrames) + " " + readable(symbols.get()[i]) + "\n";
    return text;
}

std::string kernelState(int64_t threadId)
{
    const std::string folder = "/proc/" + std::to_string(threadId);
    const Result<std::string> status = readFile(folder + "/status");
    if (!status)
        return {};
    std::string state;
    for (const std::string& line : split(*status, '\n')) {
        if (line.starts_with("State:"))
            state = trim(line.substr(6));
    }
    const Result<std::string> where = readFile(folder + "/wchan");
    return state + (where && !where->empty() && *where != "0" ? " in " + *where : "");
}

} // namespace earwright::distributed
