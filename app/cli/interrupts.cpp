#include "app/cli/interrupts.h"

#include <atomic>
#include <csignal>

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

int interruptCount()
{
    return interrupts.load();
}

} // namespace kymo::cli
