#pragma once

#include "core/base/result.h"
#include "core/data/sound_part.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace earwright::data {

/// Decoded audio kept in memory from epoch to epoch, up to a limit of bytes. Nothing is evicted: an
/// epoch visits every file once, so what was read first is as good to keep as anything. Lengths are
/// kept for all files. Safe from any thread.
class AudioCache final {
public:
    static constexpr size_t kDefaultBytes = size_t(512) << 20;
    using Samples = std::shared_ptr<const std::vector<float>>;

    explicit AudioCache(size_t maxBytes = kDefaultBytes);

    /// Mono samples of a part at this rate, from memory or from the file. Errors as readAudio().
    Result<Samples> samples(const std::string& path, int sampleRateHz, const SoundPart& part = {});
    /// Of a whole file's from `first` on, at most `count`. Of a file that does not fit into memory
    /// beside what is there, only they are read where that can be (readAudioPart()).
    Result<std::vector<float>> part(
        const std::string& path, int sampleRateHz, int64_t first, int64_t count);
    /// How many samples samples() would give; reads the header only. Errors as readAudioInfo().
    Result<int64_t> length(const std::string& path, int sampleRateHz, const SoundPart& part = {});
    size_t bytes() const;

private:
    using Key = std::tuple<std::string, int, SoundPart>;
    bool fits(const Key& key, int64_t length) const;

    const size_t m_maxBytes;
    mutable std::mutex m_mutex; // guards all below
    std::map<Key, Samples> m_samples;
    std::map<Key, int64_t> m_lengths;
    size_t m_bytes = 0;
};

} // namespace earwright::data
