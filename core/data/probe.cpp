#include "core/data/probe.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace earwright::data {

std::vector<std::optional<Result<AudioInfo>>> probeAll(
    const std::vector<std::string>& paths, const std::function<bool()>& goOn)
{
    constexpr unsigned kMaxProbes = 16; // more only make a disk seek
    std::vector<std::optional<Result<AudioInfo>>> infos(paths.size());
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t i = next++; i < paths.size() && goOn(); i = next++)
            infos[i] = probeAudio(paths[i]);
    };
    const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxProbes);
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < count; ++i)
        threads.emplace_back(work);
    work();
    for (std::thread& thread : threads)
        thread.join();
    return infos;
}

} // namespace earwright::data
