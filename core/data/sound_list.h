#pragma once

#include "core/data/audio_cache.h"

#include <filesystem>
#include <map>

namespace earwright::data {

/// The sounds that a CSV manifest lists in its column "wav": noises, impulse responses. Kept in
/// memory once read, as many as fit. Safe from any thread.
class SoundList final {
public:
    /// Errors as readSoundPaths().
    static Result<SoundList> read(const std::filesystem::path& csv,
        const std::map<std::string, std::string>& replacements,
        size_t maxBytes = AudioCache::kDefaultBytes);

    int64_t size() const { return static_cast<int64_t>(m_paths.size()); }
    const std::string& path(int64_t index) const { return m_paths[static_cast<size_t>(index)]; }
    /// Mono, resampled to `sampleRateHz`. Errors as readAudio().
    Result<AudioCache::Samples> samples(int64_t index, int sampleRateHz) const
    {
        return m_cache->samples(path(index), sampleRateHz);
    }
    /// How many they are; reads no more than the header.
    Result<int64_t> length(int64_t index, int sampleRateHz) const
    {
        return m_cache->length(path(index), sampleRateHz);
    }
    /// Those from `first` on, at most `count`; see AudioCache::part().
    Result<std::vector<float>> part(
        int64_t index, int sampleRateHz, int64_t first, int64_t count) const
    {
        return m_cache->part(path(index), sampleRateHz, first, count);
    }

private:
    explicit SoundList(size_t maxBytes)
        : m_cache(std::make_shared<AudioCache>(maxBytes))
    {
    }

    std::vector<std::string> m_paths;
    std::shared_ptr<AudioCache> m_cache;
};

} // namespace earwright::data
