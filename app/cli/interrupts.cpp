#include "app/cli/interrupts.h"

#include "core/base/temporary_folder.h"

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace earwright::cli {

namespace {

std::atomic<int> interrupts { 0 };
std::atomic<int> mostInterrupts { 0 }; ///< that are only counted

void countInterrupt(int)
{
    interrupts += 1;
}

/// nohup and shells in the background ask for that.
bool isIgnored(int signal)
{
    struct sigaction current { };
    return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

} // namespace

void catchInterrupts()
{
    std::signal(SIGINT, countInterrupt);
    std::signal(SIGTERM, countInterrupt);
}

void endOnInterrupt()
{
    std::signal(SIGPIPE, SIG_IGN);
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : { SIGINT, SIGTERM, SIGHUP })
        if (!isIgnored(signal))
            sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([signals] {
        int which = 0;
        do
            sigwait(&signals, &which);
        while (++interrupts <= mostInterrupts);
        TemporaryFolder::removeAll();
        _exit(130);
    }).detach();
}

void endOnSecondInterrupt()
{
    mostInterrupts = 1;
}

int interruptCount()
{
    return interrupts.load();
}

} // namespace earwright::cli
