#include "core/data/audio_cache.h"

#include "core/data/audio.h"

namespace kymo::data {

AudioCache::AudioCache(size_t maxBytes)
    : m_maxBytes(maxBytes)
{
}

Result<AudioCache::Samples> AudioCache::samples(const std::string& path, int sampleRateHz)
{
    const Key key { path, sampleRateHz };
    {
        const std::lock_guard lock(m_mutex);
        if (const auto at = m_samples.find(key); at != m_samples.end())
            return at->second;
    }
    // Unlocked: two threads may decode the same file once; the epoch has each file in one batch.
    Result<Audio> audio = readAudio(path, sampleRateHz);
    if (!audio)
        return audio.error();
    const size_t bytes = audio->samples.size() * sizeof(float);
    Samples samples = std::make_shared<const std::vector<float>>(std::move(audio->samples));
    const std::lock_guard lock(m_mutex);
    m_lengths[key] = static_cast<int64_t>(samples->size());
    if (m_bytes + bytes <= m_maxBytes && m_samples.emplace(key, samples).second)
        m_bytes += bytes;
    return samples;
}

Result<int64_t> AudioCache::length(const std::string& path, int sampleRateHz)
{
    const Key key { path, sampleRateHz };
    {
        const std::lock_guard lock(m_mutex);
        if (const auto at = m_lengths.find(key); at != m_lengths.end())
            return at->second;
    }
    Result<AudioInfo> info = readAudioInfo(path);
    if (!info)
        return info.error();
    const int rateHz = sampleRateHz == 0 ? info->sampleRateHz : sampleRateHz;
    const int64_t length = resampledLength(info->frames, rateRatio(info->sampleRateHz, rateHz));
    const std::lock_guard lock(m_mutex);
    m_lengths[key] = length;
    return length;
}

size_t AudioCache::bytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_bytes;
}

} // namespace kymo::data
