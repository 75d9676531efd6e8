// What logging costs the training thread: the time of EventWriter::write() for the six curves of a
// step, a step every millisecond, as nanoseconds per event (median and p99 over the steps). Run by
// ddp.sh:   event_bench [STEPS]

#include "core/run/event_log.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

using namespace earwright;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* kTags[] = { "train/loss", "train/it_per_s", "train/lr", "train/grad_norm",
    "train/data_wait", "train/reduce_wait" };

double writeStep(run::EventWriter& events, int64_t step)
{
    const auto begin = Clock::now();
    for (const char* tag : kTags)
        events.write({ .payload = run::Scalar { tag, step, 1.0 / static_cast<double>(step) } });
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    return spent.count() / std::size(kTags);
}

} // namespace

int main(int count, char** words)
{
    const int steps = count > 1 ? std::atoi(words[1]) : 3000;
    std::string folder = std::filesystem::temp_directory_path() / "earwright-event-bench-XXXXXX";
    if (steps < 1 || !mkdtemp(folder.data()))
        return 2;
    std::vector<double> nanoseconds;
    {
        const auto events = run::EventWriter::open(folder, 0);
        if (!events) {
            std::fprintf(stderr, "%s\n", events.error().message.c_str());
            return 1;
        }
        for (int step = 1; step <= steps; ++step) {
            nanoseconds.push_back(writeStep(**events, step));
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    std::filesystem::remove_all(folder);
    std::sort(nanoseconds.begin(), nanoseconds.end());
    const size_t size = nanoseconds.size();
    std::printf(
        "ns_per_event %.0f p99 %.0f\n", nanoseconds[size / 2], nanoseconds[size * 99 / 100]);
    return 0;
}
