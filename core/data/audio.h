#pragma once

#include "core/base/result.h"
#include "core/data/resample.h"
#include "core/data/sound_part.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

struct Audio {
    std::vector<float> samples; ///< mono, in [-1, 1]
    int sampleRateHz = 0;
};

/// What the header of an audio file says.
struct AudioInfo {
    int64_t frames = 0; ///< samples a channel, before resampling
    int sampleRateHz = 0;
    int channels = 1;
    bool isPlain = false; ///< each sample is an integer of its own: a file that has the last sample
                          ///< has all of them, undamaged
};

/// Opens the file and reads its header only. Errors name the path: missing, corrupt, packed, zero
/// samples, a rate that no recording has (below 1 kHz, above 1 MHz), a WAV file cut short.
Result<AudioInfo> readAudioInfo(const std::filesystem::path& path);

/// As readAudioInfo(), and decodes the last sample: finds every file that was cut short, without
/// reading the rest; but of codecs that cannot seek (GSM, G.721, DWVW, …) all is decoded.
Result<AudioInfo> probeAudio(const std::filesystem::path& path);

/// As probeAudio() of what is AudioInfo::isPlain, as readAudioInfo() of all else.
Result<AudioInfo> probeIfPlain(const std::filesystem::path& path);

/// Decodes all of it and keeps nothing: what readAudio() would find wrong.
Result<AudioInfo> readThrough(const std::filesystem::path& path);

/// WAV, FLAC and what else libsndfile reads; channels are averaged; resampled to `sampleRateHz` (0
/// = leave it). Errors name the path: as readAudioInfo(), cut short, a coding that libsndfile does
/// not decode, samples that are NaN, infinite or, full scale being 1, beyond 10,000: such a sample
/// turns a model's weights into NaN.
Result<Audio> readAudio(const std::filesystem::path& path, int sampleRateHz);

/// The same of a part of the file, resampled by itself as upstream does; where the coding lets it,
/// nothing else is decoded. Another error: the part lies behind the file's end.
Result<Audio> readAudio(const std::filesystem::path& path, int sampleRateHz, const SoundPart& part);

/// Of what readAudio() gives the samples from `first` on, at most `count` of them, to the bit and
/// without decoding the others. No value where that cannot be: the file has another rate, or a
/// coding in which samples hang on those before (MP3, Vorbis).
Result<std::optional<std::vector<float>>> readAudioPart(
    const std::filesystem::path& path, int sampleRateHz, int64_t first, int64_t count);

} // namespace earwright::data
