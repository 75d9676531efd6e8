#include "core/data/audio_cache.h"

#include "core/data/audio.h"
#include "core/data/open_sound.h"

#include <algorithm>

namespace earwright::data {

AudioCache::AudioCache(size_t maxBytes)
    : m_maxBytes(maxBytes)
{
}

Result<AudioCache::Samples> AudioCache::samples(
    const std::string& path, int sampleRateHz, const SoundPart& part)
{
    const Key key { path, sampleRateHz, part };
    {
        const std::lock_guard lock(m_mutex);
        if (const auto at = m_samples.find(key); at != m_samples.end())
            return at->second;
    }
    // Unlocked: two threads may decode the same file once; the epoch has each file in one batch.
    Result<Audio> audio = readAudio(path, sampleRateHz, part);
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

Result<int64_t> AudioCache::length(const std::string& path, int sampleRateHz, const SoundPart& part)
{
    const Key key { path, sampleRateHz, part };
    {
        const std::lock_guard lock(m_mutex);
        if (const auto at = m_lengths.find(key); at != m_lengths.end())
            return at->second;
    }
    Result<AudioInfo> info = readAudioInfo(path);
    if (!info)
        return info.error();
    const int rateHz = sampleRateHz == 0 ? info->sampleRateHz : sampleRateHz;
    const Result<FramePart> frames = framesIn(part, info->frames, info->sampleRateHz);
    if (!frames)
        return cannotRead(path, frames.error().message);
    const int64_t length = resampledLength(frames->count, rateRatio(info->sampleRateHz, rateHz));
    const std::lock_guard lock(m_mutex);
    m_lengths[key] = length;
    return length;
}

/// In memory, or with room for it.
bool AudioCache::fits(const Key& key, int64_t length) const
{
    const std::lock_guard lock(m_mutex);
    return m_samples.contains(key)
        || m_bytes + static_cast<size_t>(length) * sizeof(float) <= m_maxBytes;
}

Result<std::vector<float>> AudioCache::part(
    const std::string& path, int sampleRateHz, int64_t first, int64_t count)
{
    const Result<int64_t> known = length(path, sampleRateHz);
    if (!known)
        return known.error();
    if (!fits({ path, sampleRateHz, {} }, *known)) {
        Result<std::optional<std::vector<float>>> read
            = readAudioPart(path, sampleRateHz, first, count);
        if (!read)
            return read.error();
        if (*read)
            return std::move(**read);
    }
    const Result<Samples> all = samples(path, sampleRateHz);
    if (!all)
        return all.error();
    const int64_t begin = std::min(first, std::ssize(**all));
    const int64_t end = std::min(first + count, std::ssize(**all));
    return std::vector<float>((*all)->begin() + begin, (*all)->begin() + end);
}

size_t AudioCache::bytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_bytes;
}

} // namespace earwright::data
