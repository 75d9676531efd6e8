#include "core/data/audio.h"

#include "core/data/flac.h"
#include "core/data/mp3.h"
#include "core/data/riff.h"
#include "core/data/sound_file.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace earwright::data {
namespace {

/// A stream whose header does not know its length claims more than any recording.
constexpr sf_count_t kMostFrames = sf_count_t(1) << 40;

/// A resampling from a header's nonsense would need more memory than there is.
constexpr int kHighestRateHz = 1'000'000;

constexpr const char* kNotFinite = "it holds samples that are NaN or infinite";

/// About a quarter of an hour: what is longer than that is allocated as it comes.
constexpr int64_t kUsualFrames = int64_t(1) << 24;

Error cannotRead(const std::filesystem::path& path, const std::string& why)
{
    return Error { "cannot read audio '" + path.string() + "': " + why };
}

/// Why no sound has this rate, or "".
std::string whyNoRate(int rateHz)
{
    return rateHz > 0 && rateHz <= kHighestRateHz
        ? ""
        : "its header says " + std::to_string(rateHz) + " Hz";
}

/// Why libsndfile opens no such file.
std::string whyNone(const std::filesystem::path& path)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        return "no such file";
    if (std::filesystem::is_directory(status))
        return "it is a folder";
    if (std::filesystem::file_size(path, error) == 0 && !error)
        return "the file is empty (0 bytes)";
    // sf_strerror(nullptr) is of the whole program: another thread may have cleared it
    return "its header is not sound (is it a WAV or FLAC file?)";
}

Result<SoundFile> open(const std::filesystem::path& path, SF_INFO& info)
{
    SoundFile file(sf_open(path.c_str(), SFM_READ, &info));
    if (!file)
        return cannotRead(path, whyNone(path));
    const int type = info.format & SF_FORMAT_TYPEMASK;
    const bool isWav = type == SF_FORMAT_WAV || type == SF_FORMAT_WAVEX;
    if (const int64_t missing = isWav ? missingWavBytes(path) : 0; missing > 0)
        return cannotRead(path,
            "it is cut short: " + std::to_string(missing)
                + " bytes that its header promises are not there");
    if (type == SF_FORMAT_MPEG)
        info.frames
            = std::min<sf_count_t>(info.frames, countedMp3Samples(path).value_or(info.frames));
    if (const std::string why = whyNoRate(info.samplerate); !why.empty())
        return cannotRead(path, why);
    if (info.frames <= 0)
        return cannotRead(path, "it holds no samples");
    if (info.frames > kMostFrames)
        return cannotRead(path, "its header does not say how long it is; encode it again");
    return file;
}

AudioInfo infoOf(const SF_INFO& info)
{
    return { info.frames, info.samplerate, info.channels };
}

Result<Sound> openSound(const std::filesystem::path& path)
{
    if (path.extension() == ".flac")
        if (std::optional<Sound> flac = openFlac(path);
            flac && whyNoRate(flac->info.sampleRateHz).empty())
            return *std::move(flac);
    SF_INFO info {};
    Result<SoundFile> file = open(path, info);
    if (!file)
        return file.error();
    return Sound { infoOf(info),
        [opened = std::shared_ptr<SNDFILE>(std::move(*file))](float* to,
            int64_t frames) -> int64_t { return sf_readf_float(opened.get(), to, frames); } };
}

/// Each sample is coded by itself, or in blocks that libsndfile finds and decodes to the bit
/// (FLAC).
bool isFoundAnywhere(const SF_INFO& info)
{
    switch (info.format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
    case SF_FORMAT_PCM_16:
    case SF_FORMAT_PCM_24:
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_FLOAT:
    case SF_FORMAT_DOUBLE:
    case SF_FORMAT_ULAW:
    case SF_FORMAT_ALAW:
        return info.seekable != 0;
    default:
        return false;
    }
}

Error cutShort(const std::filesystem::path& path, int64_t got, int64_t promised)
{
    return cannotRead(path,
        "it is cut short or corrupt after " + std::to_string(got) + " of "
            + std::to_string(promised) + " samples");
}

/// Looks at all of them, by their bits, which a compiler makes instructions on several at once of:
/// one after the other they cost a sixth of what reading a WAV file does.
bool areFinite(const std::vector<float>& samples)
{
    constexpr int32_t kSign = std::numeric_limits<int32_t>::min();
    constexpr auto kInfinite = std::bit_cast<int32_t>(std::numeric_limits<float>::infinity());
    int32_t found = 0;
    for (const float sample : samples)
        found |= (std::bit_cast<int32_t>(sample) & ~kSign) >= kInfinite ? 1 : 0;
    return found == 0;
}

void averageChannels(std::vector<float>& samples, int channels)
{
    if (channels == 1)
        return;
    const auto width = static_cast<size_t>(channels);
    for (size_t frame = 0; frame * width < samples.size(); ++frame) {
        float sum = 0;
        for (size_t channel = 0; channel < width; ++channel)
            sum += samples[frame * width + channel];
        samples[frame] = sum / static_cast<float>(channels);
    }
    samples.resize(samples.size() / width);
}

/// Interleaved; shorter where the file is. A header may promise more than fits into memory: only
/// what is there is allocated.
std::vector<float> readAll(const ReadFrames& read, int64_t frames, int channels)
{
    constexpr int64_t kAtOnce = 1 << 14;
    const auto samplesOf = [&](int64_t count) { return static_cast<size_t>(count * channels); };
    std::vector<float> samples;
    samples.reserve(samplesOf(std::min(frames, kUsualFrames)));
    for (int64_t done = 0, got = 1; got > 0 && done < frames; done += got) {
        const int64_t asked = std::min(frames - done, kAtOnce);
        samples.resize(samplesOf(done + asked));
        got = std::max<int64_t>(read(samples.data() + samplesOf(done), asked), 0);
        samples.resize(samplesOf(done + got));
    }
    return samples;
}

} // namespace

Result<AudioInfo> readAudioInfo(const std::filesystem::path& path)
{
    SF_INFO info {};
    Result<SoundFile> file = open(path, info);
    if (!file)
        return file.error();
    return infoOf(info);
}

Result<AudioInfo> probeAudio(const std::filesystem::path& path)
{
    SF_INFO info {};
    Result<SoundFile> file = open(path, info);
    if (!file)
        return file.error();
    std::vector<float> last(static_cast<size_t>(info.channels));
    if (sf_seek(file->get(), info.frames - 1, SEEK_SET) < 0
        || sf_readf_float(file->get(), last.data(), 1) != 1)
        return cannotRead(path,
            "it is cut short or corrupt: the last of " + std::to_string(info.frames)
                + " samples is not there");
    return infoOf(info);
}

Result<Audio> readAudio(const std::filesystem::path& path, int sampleRateHz)
{
    Result<Sound> sound = openSound(path);
    if (!sound)
        return sound.error();
    const AudioInfo& info = sound->info;
    std::vector<float> samples = readAll(sound->read, info.frames, info.channels);
    if (const int64_t frames = std::ssize(samples) / info.channels; frames != info.frames)
        return cutShort(path, frames, info.frames);
    if (!areFinite(samples))
        return cannotRead(path, kNotFinite);
    averageChannels(samples, info.channels);
    Audio audio { {}, sampleRateHz == 0 ? info.sampleRateHz : sampleRateHz };
    const Ratio ratio = rateRatio(info.sampleRateHz, audio.sampleRateHz);
    audio.samples = ratio.isIdentity() ? std::move(samples) : resample(samples, ratio);
    return audio;
}

Result<std::optional<std::vector<float>>> readAudioPart(
    const std::filesystem::path& path, int sampleRateHz, int64_t first, int64_t count)
{
    SF_INFO info {};
    Result<SoundFile> file = open(path, info);
    if (!file)
        return file.error();
    if (info.samplerate != sampleRateHz || !isFoundAnywhere(info))
        return std::optional<std::vector<float>>();
    const int64_t wanted = std::clamp<int64_t>(info.frames - first, 0, count);
    std::vector<float> samples(static_cast<size_t>(wanted * info.channels));
    if (wanted > 0 && sf_seek(file->get(), first, SEEK_SET) != first)
        return cutShort(path, 0, info.frames);
    if (const int64_t got = sf_readf_float(file->get(), samples.data(), wanted); got != wanted)
        return cutShort(path, first + got, info.frames);
    if (!areFinite(samples))
        return cannotRead(path, kNotFinite);
    averageChannels(samples, info.channels);
    return std::optional(std::move(samples));
}

} // namespace earwright::data
