#include "core/data/probe.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace earwright::data {

std::vector<Prober::Found> Prober::probe(const std::vector<std::string>& paths)
{
    constexpr size_t kMostKept = size_t { 1 } << 16;
    if (m_found.size() > kMostKept)
        m_found.clear();
    probeNew(paths);
    std::vector<Found> found;
    for (const std::string& path : paths)
        found.push_back(m_found.at(path));
    return found;
}

void Prober::probeNew(const std::vector<std::string>& paths)
{
    constexpr unsigned kMaxProbes = 16; // more only make a disk seek
    std::vector<std::pair<const std::string, Found>*> fresh;
    for (const std::string& path : paths)
        if (const auto [place, isNew] = m_found.try_emplace(path); isNew)
            fresh.push_back(&*place);
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t i = next++; i < fresh.size() && m_goOn(); i = next++)
            fresh[i]->second = m_proven.prove(fresh[i]->first);
    };
    const auto count = std::min<size_t>(
        std::clamp(std::thread::hardware_concurrency(), 1U, kMaxProbes), fresh.size());
    std::vector<std::thread> threads;
    for (size_t i = 1; i < count; ++i)
        threads.emplace_back(work);
    work();
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace earwright::data
