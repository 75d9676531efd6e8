#include "core/data/prepare/read_whole.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/flac.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace earwright::data {
namespace {

constexpr unsigned kMaxThreads = 16;

bool isFlac(const std::filesystem::path& file, std::string_view bytes)
{
    return bytes.starts_with("fLaC") || toLower(file.extension().string()) == ".flac";
}

/// How many samples a channel there are before the file ends or `wanted` are read.
int64_t countSamples(const Sound& sound, int64_t wanted)
{
    constexpr int64_t kAtOnce = 1 << 14;
    std::vector<float> samples(static_cast<size_t>(kAtOnce * sound.info.channels));
    int64_t done = 0;
    for (int64_t got = 1; got > 0 && done < wanted; done += got)
        got = std::max<int64_t>(sound.read(samples.data(), std::min(kAtOnce, wanted - done)), 0);
    return done;
}

/// By openFlac(), which leaves frames with a wrong checksum out: libsndfile gives silence for them.
/// What has no header was told when it was opened first.
std::string damageOfFlac(const std::filesystem::path& file)
{
    const std::optional<Sound> sound = openFlac(file);
    const int64_t promised = sound ? sound->info.frames : 0;
    const int64_t missing = sound ? promised - countSamples(*sound, promised) : 0;
    return missing == 0 ? ""
                        : "it is cut short or corrupt: " + std::to_string(missing) + " of its "
            + std::to_string(promised) + " samples cannot be decoded";
}

WholeFile readOne(const std::string& file)
{
    const Result<std::string> bytes = readFile(file);
    if (!bytes)
        return {};
    return { sha256Hex(*bytes), isFlac(file, *bytes) ? damageOfFlac(file) : "" };
}

} // namespace

std::optional<WholeFiles> readWhole(const std::vector<std::string>& files, const GoOn& goOn)
{
    goOn.expect(files.size());
    WholeFiles whole;
    std::mutex guard; // of `whole` and goOn
    std::atomic<size_t> next = 0;
    std::atomic<bool> isStopped = false;
    const auto work = [&] {
        for (size_t i = next++; i < files.size() && !isStopped; i = next++) {
            WholeFile file = readOne(files[i]);
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
