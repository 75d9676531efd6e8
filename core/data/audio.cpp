#include "core/data/audio.h"

#include "core/data/open_sound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <span>
#include <utility>

namespace earwright::data {
namespace {

/// Full scale is 1. Integers of 16 bits that somebody wrote as they are reach 32768, and are
/// refused where they are loud; nothing that is recorded comes near.
constexpr float kLoudest = 1e4F;

/// About a quarter of an hour of one channel: what is longer than that is allocated as it comes.
constexpr int64_t kUsualFrames = int64_t(1) << 24;

using Block = std::span<float>;

Error cutShort(const std::filesystem::path& path, int64_t got, int64_t promised)
{
    return cannotRead(path,
        "it is cut short or corrupt after " + std::to_string(got) + " of "
            + std::to_string(promised) + " samples");
}

/// Whether |sample| is above kLoudest, infinite or NaN: the bits of numbers from 0 on, and of these
/// behind them, are in their order.
bool isUnheard(float sample)
{
    constexpr int32_t kWithoutSign = 0x7FFFFFFF;
    return (std::bit_cast<int32_t>(sample) & kWithoutSign) > std::bit_cast<int32_t>(kLoudest);
}

/// Looks at all of them, which a compiler makes instructions on several at once of: one after the
/// other they cost a sixth of what reading a WAV file does.
bool isAnyUnheard(Block samples)
{
    int32_t found = 0;
    for (const float sample : samples)
        found |= isUnheard(sample) ? 1 : 0;
    return found != 0;
}

/// Why samples that begin with the frame `first` are none of a sound; "" where they are.
std::string whyUnheard(Block samples, int64_t first, const AudioInfo& info)
{
    if (!isAnyUnheard(samples))
        return {};
    const auto at = std::find_if(samples.begin(), samples.end(), isUnheard);
    const int64_t frame = first + (at - samples.begin()) / info.channels;
    const char* form = std::isfinite(*at)
        ? "it holds a sample of %.3g at %.3f s, where full scale is 1; scale it to [-1, 1]"
        : "it holds samples that are NaN or infinite (%g at %.3f s)";
    char text[120];
    std::snprintf(text, sizeof text, form, static_cast<double>(*at),
        static_cast<double>(frame) / info.sampleRateHz);
    return text;
}

/// In its place at the beginning.
Block averageChannels(Block samples, int channels)
{
    const auto width = static_cast<size_t>(channels);
    const size_t count = samples.size() / width;
    for (size_t frame = 0; width > 1 && frame < count; ++frame) {
        float sum = 0;
        for (size_t channel = 0; channel < width; ++channel)
            sum += samples[frame * width + channel];
        samples[frame] = sum / static_cast<float>(channels);
    }
    return samples.first(count);
}

/// Gives the mean of the channels by blocks. A header may promise more than fits into memory: a
/// block is all that is allocated.
Status readBlocks(
    const std::filesystem::path& path, const Sound& sound, const std::function<void(Block)>& take)
{
    constexpr int64_t kAtOnce = 1 << 14;
    const AudioInfo& info = sound.info;
    std::vector<float> block(static_cast<size_t>(kAtOnce * info.channels));
    int64_t done = 0;
    for (int64_t got = 1; got > 0 && done < info.frames; done += got) {
        got = std::max<int64_t>(sound.read(block.data(), std::min(info.frames - done, kAtOnce)), 0);
        const Block samples = Block(block).first(static_cast<size_t>(got * info.channels));
        if (const std::string why = whyUnheard(samples, done, info); !why.empty())
            return cannotRead(path, why);
        take(averageChannels(samples, info.channels));
    }
    if (done == info.frames)
        return Done {};
    const std::string why = done == 0 && sound.whyNothing ? sound.whyNothing() : "";
    return why.empty() ? cutShort(path, done, info.frames) : cannotRead(path, why);
}

Result<AudioInfo> probeOpened(const std::filesystem::path& path, const OpenedFile& opened)
{
    const SF_INFO& info = opened.info;
    std::vector<float> last(static_cast<size_t>(info.channels));
    if (sf_seek(opened.file.get(), info.frames - 1, SEEK_SET) >= 0
        && sf_readf_float(opened.file.get(), last.data(), 1) == 1)
        return infoOf(info);
    if (!isFoundAnywhere(info)) // some codecs cannot seek, though libsndfile may say that they can
        return readThrough(path);
    return cannotRead(path,
        "it is cut short or corrupt: the last of " + std::to_string(info.frames)
            + " samples is not there");
}

} // namespace

Result<AudioInfo> readAudioInfo(const std::filesystem::path& path)
{
    const Result<OpenedFile> opened = openFile(path);
    if (!opened)
        return opened.error();
    return infoOf(opened->info);
}

Result<AudioInfo> probeAudio(const std::filesystem::path& path)
{
    const Result<OpenedFile> opened = openFile(path);
    if (!opened)
        return opened.error();
    return probeOpened(path, *opened);
}

Result<AudioInfo> probeIfPlain(const std::filesystem::path& path)
{
    const Result<OpenedFile> opened = openFile(path);
    if (!opened)
        return opened.error();
    const AudioInfo info = infoOf(opened->info);
    return info.isPlain ? probeOpened(path, *opened) : info;
}

Result<AudioInfo> readThrough(const std::filesystem::path& path)
{
    const Result<Sound> sound = openSound(path);
    if (!sound)
        return sound.error();
    if (const Status read = readBlocks(path, *sound, [](Block) {}); !read)
        return read.error();
    return sound->info;
}

Result<Audio> readAudio(const std::filesystem::path& path, int sampleRateHz)
{
    const Result<Sound> sound = openSound(path);
    if (!sound)
        return sound.error();
    const AudioInfo& info = sound->info;
    std::vector<float> samples;
    samples.reserve(static_cast<size_t>(std::min(info.frames, kUsualFrames)));
    const Status read = readBlocks(path, *sound,
        [&](Block block) { samples.insert(samples.end(), block.begin(), block.end()); });
    if (!read)
        return read.error();
    Audio audio { {}, sampleRateHz == 0 ? info.sampleRateHz : sampleRateHz };
    const Ratio ratio = rateRatio(info.sampleRateHz, audio.sampleRateHz);
    audio.samples = ratio.isIdentity() ? std::move(samples) : resample(samples, ratio);
    return audio;
}

Result<std::optional<std::vector<float>>> readAudioPart(
    const std::filesystem::path& path, int sampleRateHz, int64_t first, int64_t count)
{
    const Result<OpenedFile> opened = openFile(path);
    if (!opened)
        return opened.error();
    const AudioInfo info = infoOf(opened->info);
    if (info.sampleRateHz != sampleRateHz || !isFoundAnywhere(opened->info))
        return std::optional<std::vector<float>>();
    const int64_t wanted = std::clamp<int64_t>(info.frames - first, 0, count);
    std::vector<float> samples(static_cast<size_t>(wanted * info.channels));
    if (wanted > 0 && sf_seek(opened->file.get(), first, SEEK_SET) != first)
        return cutShort(path, 0, info.frames);
    const int64_t got = sf_readf_float(opened->file.get(), samples.data(), wanted);
    if (got != wanted)
        return cutShort(path, first + got, info.frames);
    if (const std::string why = whyUnheard(samples, first, info); !why.empty())
        return cannotRead(path, why);
    samples.resize(averageChannels(samples, info.channels).size());
    return std::optional(std::move(samples));
}

} // namespace earwright::data
