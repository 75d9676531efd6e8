#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kymo::data {

struct Audio {
    std::vector<float> samples; ///< mono, in [-1, 1]
    int sampleRateHz = 0;
    int sourceChannels = 1;
    int sourceRateHz = 0; ///< before resampling
};

/// WAV, FLAC and what else libsndfile reads; channels are averaged; resampled to `sampleRateHz` (0 = leave it).
/// Errors name the path: missing, corrupt, zero samples.
Result<Audio> readAudio(const std::filesystem::path& path, int sampleRateHz);

/// Windowed sinc (Hann, width 6, rolloff 0.99), the numerics of torchaudio.functional.resample; the ratio is reduced to its
/// smallest terms.
std::vector<float> resample(const std::vector<float>& samples, int fromHz, int toHz);

} // namespace kymo::data
