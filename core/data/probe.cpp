#include "core/data/probe.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace earwright::data {

std::vector<Prober::Found> Prober::probe(const std::vector<std::string>& paths)
{
    std::vector<File> files;
    for (const std::string& path : paths)
        files.emplace_back(path, false);
    return probeFiles(files);
}

std::vector<Prober::Found> Prober::probe(const std::vector<Utterance>& utterances)
{
    std::vector<File> files;
    for (const Utterance& utterance : utterances)
        files.emplace_back(utterance.wav, !utterance.part.isWhole());
    return probeFiles(files);
}

std::vector<Prober::Found> Prober::probeFiles(const std::vector<File>& files)
{
    constexpr size_t kMostKept = size_t { 1 } << 16;
    if (m_found.size() > kMostKept)
        m_found.clear();
    probeNew(files);
    std::vector<Found> found;
    for (const File& file : files)
        found.push_back(m_found.at(file));
    return found;
}

void Prober::probeNew(const std::vector<File>& files)
{
    constexpr unsigned kMaxProbes = 16; // more only make a disk seek
    std::vector<std::pair<const File, Found>*> fresh;
    for (const File& file : files)
        if (const auto [place, isNew] = m_found.try_emplace(file); isNew)
            fresh.push_back(&*place);
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t i = next++; i < fresh.size() && m_goOn(); i = next++) {
            const auto& [path, isHeaderEnough] = fresh[i]->first;
            fresh[i]->second = isHeaderEnough ? readAudioInfo(path) : m_proven.prove(path);
        }
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
