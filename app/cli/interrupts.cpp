#include "app/cli/interrupts.h"

#include "core/base/temporary_folder.h"

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace kymo::cli {

namespace {

std::atomic<int> interrupts { 0 };

void countInterrupt(int)
{
    interrupts += 1;
}

} // namespace

void catchInterrupts()
{
    std::signal(SIGINT, countInterrupt);
    std::signal(SIGTERM, countInterrupt);
}

void endOnInterrupt()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([signals] {
        int which = 0;
        sigwait(&signals, &which);
        TemporaryFolder::removeAll();
        _exit(130);
    }).detach();
}

int interruptCount()
{
    return interrupts.load();
}

} // namespace kymo::cli
