#include "core/data/prepare/read_whole.h"

#include "core/base/file.h"
#include "core/data/prepare/report.h"
#include "core/data/proven_sounds.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace earwright::data {
namespace {

constexpr unsigned kMaxThreads = 16;

WholeFile readOne(const std::string& file, ProvenSounds& proven)
{
    const Result<std::string> sum = sha256HexOfFile(file);
    if (!sum)
        return {};
    const Result<AudioInfo> proved = proven.prove(file, *sum);
    return { *sum, proved ? "" : reasonIn(proved.error().message, file) };
}

} // namespace

std::optional<WholeFiles> readWhole(const std::vector<std::string>& files, const GoOn& goOn)
{
    goOn.expect(files.size());
    WholeFiles whole;
    ProvenSounds proven;
    std::mutex guard; // of `whole` and goOn
    std::atomic<size_t> next = 0;
    std::atomic<bool> isStopped = false;
    const auto work = [&] {
        for (size_t i = next++; i < files.size() && !isStopped; i = next++) {
            WholeFile file = readOne(files[i], proven);
            const std::scoped_lock lock(guard);
            isStopped = isStopped || !goOn();
            whole[files[i]] = std::move(file);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads); ++i)
        threads.emplace_back(work);
    work();
    for (std::thread& thread : threads)
        thread.join();
    return isStopped ? std::nullopt : std::optional(std::move(whole));
}

} // namespace earwright::data
