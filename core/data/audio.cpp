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

/// Frames that are decoded at a time.
constexpr int64_t kAtOnce = 1 << 14;

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

/// The mean of the channels, or one of them, in its place at the beginning.
void mixChannels(std::vector<float>& samples, int channels, int channel)
{
    if (channel < 0 || channels == 1) {
        samples.resize(averageChannels(samples, channels).size());
        return;
    }
    const auto width = static_cast<size_t>(channels);
    const auto at = static_cast<size_t>(std::min(channel, channels - 1));
    const size_t count = samples.size() / width;
    for (size_t frame = 0; frame < count; ++frame)
        samples[frame] = samples[frame * width + at];
    samples.resize(count);
}

/// Interleaved, of a coding that finds any sample by itself.
Result<std::vector<float>> framesFoundIn(
    const std::filesystem::path& path, const OpenedFile& opened, FramePart part)
{
    const AudioInfo info = infoOf(opened.info);
    std::vector<float> samples(static_cast<size_t>(part.count * info.channels));
    if (part.count > 0 && sf_seek(opened.file.get(), part.first, SEEK_SET) != part.first)
        return cutShort(path, 0, info.frames);
    const int64_t got = sf_readf_float(opened.file.get(), samples.data(), part.count);
    if (got != part.count)
        return cutShort(path, part.first + got, info.frames);
    if (const std::string why = whyUnheard(samples, part.first, info); !why.empty())
        return cannotRead(path, why);
    return samples;
}

/// Interleaved, of any other: decoded from the beginning on.
Result<std::vector<float>> framesReadOf(const std::filesystem::path& path, FramePart part)
{
    const Result<Sound> sound = openSound(path);
    if (!sound)
        return sound.error();
    const auto width = static_cast<size_t>(sound->info.channels);
    std::vector<float> block(static_cast<size_t>(kAtOnce) * width);
    std::vector<float> samples;
    int64_t done = 0;
    for (int64_t got = 1; got > 0 && done < part.first + part.count; done += got) {
        const int64_t wanted = std::min<int64_t>(
            done < part.first ? part.first - done : part.first + part.count - done, kAtOnce);
        got = std::max<int64_t>(sound->read(block.data(), wanted), 0);
        if (done >= part.first)
            samples.insert(
                samples.end(), block.begin(), block.begin() + got * static_cast<int64_t>(width));
    }
    if (done < part.first + part.count)
        return cutShort(path, done, sound->info.frames);
    if (const std::string why = whyUnheard(samples, part.first, sound->info); !why.empty())
        return cannotRead(path, why);
    return samples;
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

Result<Audio> readAudio(const std::filesystem::path& path, int sampleRateHz, const SoundPart& part)
{
    if (part.isWhole())
        return readAudio(path, sampleRateHz);
    const Result<OpenedFile> opened = openFile(path);
    if (!opened)
        return opened.error();
    const AudioInfo info = infoOf(opened->info);
    const Result<FramePart> frames = framesIn(part, info.frames, info.sampleRateHz);
    if (!frames)
        return cannotRead(path, frames.error().message);
    Result<std::vector<float>> samples = isFoundAnywhere(opened->info)
        ? framesFoundIn(path, *opened, *frames)
        : framesReadOf(path, *frames);
    if (!samples)
        return samples.error();
    mixChannels(*samples, info.channels, part.channel);
    Audio audio { {}, sampleRateHz == 0 ? info.sampleRateHz : sampleRateHz };
    const Ratio ratio = rateRatio(info.sampleRateHz, audio.sampleRateHz);
    audio.samples = ratio.isIdentity() ? std::move(*samples) : resample(*samples, ratio);
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
    Result<std::vector<float>> samples = framesFoundIn(path, *opened, { first, wanted });
    if (!samples)
        return samples.error();
    mixChannels(*samples, info.channels, -1);
    return std::optional(std::move(*samples));
}

} // namespace earwright::data
