#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sndfile.h>
#include <string>
#include <vector>

namespace earwright::tests {

struct Sound {
    int sampleRateHz = 16000;
    int channels = 1;
    int format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
};

/// Writes interleaved samples as a real audio file; false where libsndfile refuses.
inline bool writeSound(
    const std::filesystem::path& path, const std::vector<float>& samples, Sound sound = {})
{
    SF_INFO info {};
    info.samplerate = sound.sampleRateHz;
    info.channels = sound.channels;
    info.format = sound.format;
    SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
    if (file == nullptr)
        return false;
    const auto size = static_cast<sf_count_t>(samples.size());
    const bool isWhole = sf_write_float(file, samples.data(), size) == size;
    return sf_close(file) == 0 && isWhole;
}

inline std::vector<float> sine(size_t count, double hertz, int sampleRateHz)
{
    std::vector<float> samples(count);
    for (size_t i = 0; i < count; ++i)
        samples[i] = static_cast<float>(
            0.5 * std::sin(2 * std::numbers::pi * hertz * static_cast<double>(i) / sampleRateHz));
    return samples;
}

/// Samples of which no coding makes few bytes.
inline std::vector<float> noise(size_t count)
{
    std::vector<float> samples(count);
    for (size_t i = 0; i < count; ++i)
        samples[i] = static_cast<float>(i * 2654435761U % 1000) / 1000.0F - 0.5F;
    return samples;
}

/// Zeros in place of 200 bytes in the middle of a file; false where it has no more.
inline bool damage(const std::filesystem::path& path)
{
    constexpr std::streamoff kBytes = 200;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path));
    file.seekp(size / 2);
    file << std::string(kBytes, '\0');
    return size > 2 * kBytes && bool(file.flush());
}

} // namespace earwright::tests
