#include "app/cli/interrupts.h"

#include "core/base/temporary_folder.h"

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace earwright::cli {

namespace {

constexpr unsigned kPatienceSeconds = 3;

std::atomic<int> interrupts { 0 };
std::atomic<int> mostInterrupts { 0 }; ///< that are only counted
std::atomic<int> lastInterrupt { SIGINT };
std::atomic<pid_t> endedChildren { 0 };

void unblock(const sigset_t& signals)
{
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

/// Does only what a signal's handler may.
void endBy(int signal)
{
    if (const pid_t children = endedChildren; children != 0)
        ::kill(children, SIGKILL);
    std::signal(signal, SIG_DFL);
    sigset_t itself;
    sigemptyset(&itself);
    sigaddset(&itself, signal);
    unblock(itself);
    ::raise(signal);
}

void endByLast(int)
{
    endBy(lastInterrupt);
}

void countInterrupt(int signal)
{
    const int count = ++interrupts;
    lastInterrupt = signal;
    if (count > 2)
        endBy(signal);
    if (count != 2)
        return;
    std::signal(SIGALRM, endByLast);
    ::alarm(kPatienceSeconds);
}

/// nohup and shells in the background ask for that.
bool isIgnored(int signal)
{
    struct sigaction current { };
    return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

/// In a thread of its own. What comes while the folders are removed ends the program.
void endOn(const sigset_t& signals)
{
    int which = 0;
    do
        sigwait(&signals, &which);
    while (++interrupts <= mostInterrupts);
    unblock(signals);
    TemporaryFolder::removeAll();
    if (interrupts > 1)
        endBy(which);
    _exit(130);
}

} // namespace

void catchInterrupts()
{
    std::signal(SIGINT, countInterrupt);
    std::signal(SIGTERM, countInterrupt);
}

void endWithProgram(pid_t children)
{
    endedChildren = children;
}

void endOnInterrupt()
{
    std::signal(SIGPIPE, SIG_IGN);
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : { SIGINT, SIGTERM, SIGHUP })
        if (!isIgnored(signal)) {
            std::signal(signal, SIG_DFL);
            sigaddset(&signals, signal);
        }
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([signals] { endOn(signals); }).detach();
}

void endOnSecondInterrupt()
{
    mostInterrupts = 1;
}

int interruptCount()
{
    return interrupts.load();
}

void endBySecondInterrupt()
{
    if (interrupts > 1)
        endBy(lastInterrupt);
}

} // namespace earwright::cli
