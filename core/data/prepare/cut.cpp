#include "core/data/prepare/cut.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/sound_file.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>
#include <vector>

namespace earwright::data {
namespace {

constexpr double kOvershootSeconds = 0.5; ///< as of Kaldi's extract-segments

struct Range {
    sf_count_t first = 0;
    sf_count_t count = 0;
    std::optional<int> channel = std::nullopt;
};

double secondsOf(const SF_INFO& info)
{
    return static_cast<double>(info.frames) / info.samplerate;
}

/// Why the recording has no such part; "" where it has.
std::string whyNoPart(const SF_INFO& info, const Cut& cut)
{
    const double seconds = secondsOf(info);
    if (cut.channel.value_or(0) >= info.channels)
        return "a channel that its recording does not have";
    if (cut.beginSeconds >= seconds)
        return "a segment that begins where its recording has ended";
    if (cut.endSeconds - seconds > seconds - cut.beginSeconds)
        return "a segment of which its recording lacks most";
    return cut.endSeconds > seconds + kOvershootSeconds
        ? "a segment that ends more than 0.5 s behind its recording"
        : "";
}

/// Of a part that the recording has.
Range rangeOf(const SF_INFO& info, const Cut& cut)
{
    const auto first = static_cast<sf_count_t>(std::llround(cut.beginSeconds * info.samplerate));
    const auto last = cut.endSeconds < 0
        ? info.frames
        : std::min<sf_count_t>(info.frames, std::llround(cut.endSeconds * info.samplerate));
    return { first, std::max<sf_count_t>(last - first, 0), cut.channel };
}

int sampleTypeOf(const SF_INFO& info)
{
    const int type = info.format & SF_FORMAT_SUBMASK;
    const bool isWavs = type == SF_FORMAT_PCM_24 || type == SF_FORMAT_PCM_32
        || type == SF_FORMAT_FLOAT || type == SF_FORMAT_DOUBLE || type == SF_FORMAT_PCM_U8;
    return isWavs ? type : SF_FORMAT_PCM_16;
}

/// Whole numbers go through unchanged only as such: a float is scaled by 2^15 - 1 on its way out.
bool isFloating(int sampleType)
{
    return sampleType == SF_FORMAT_FLOAT || sampleType == SF_FORMAT_DOUBLE;
}

sf_count_t read(SNDFILE* file, double* samples, sf_count_t frames)
{
    return sf_readf_double(file, samples, frames);
}
sf_count_t read(SNDFILE* file, int* samples, sf_count_t frames)
{
    return sf_readf_int(file, samples, frames);
}
sf_count_t write(SNDFILE* file, const double* samples, sf_count_t frames)
{
    return sf_writef_double(file, samples, frames);
}
sf_count_t write(SNDFILE* file, const int* samples, sf_count_t frames)
{
    return sf_writef_int(file, samples, frames);
}

/// Of interleaved samples one channel's, in its place at the beginning.
template <class Sample>
void keepChannel(std::vector<Sample>& samples, int channels, int kept)
{
    const auto width = static_cast<size_t>(channels);
    for (size_t frame = 0; frame * width < samples.size(); ++frame)
        samples[frame] = samples[frame * width + static_cast<size_t>(kept)];
}

/// From the file's beginning on, as some codecs cannot seek (GSM, G.721): what comes before is read
/// too.
template <class Sample>
bool readFromBeginning(
    const std::filesystem::path& path, const Range& range, std::vector<Sample>& samples)
{
    SF_INFO info {};
    const SoundFile source(sf_open(path.c_str(), SFM_READ, &info));
    for (sf_count_t left = range.first; source && left > 0;) {
        const sf_count_t got = read(source.get(), samples.data(), std::min(left, range.count));
        if (got <= 0)
            return false;
        left -= got;
    }
    return source && read(source.get(), samples.data(), range.count) == range.count;
}

enum class Copied { Yes, NotRead, NotWritten };

/// A recording that is open, with what its header says.
struct OpenRecording {
    std::filesystem::path path;
    SNDFILE* source = nullptr;
    SF_INFO info {};
};

template <class Sample>
Copied copy(const OpenRecording& recording, const Range& range, const std::filesystem::path& path)
{
    SF_INFO info = recording.info;
    std::vector<Sample> samples(static_cast<size_t>(range.count * info.channels));
    const bool isFound = sf_seek(recording.source, range.first, SEEK_SET) == range.first
        && read(recording.source, samples.data(), range.count) == range.count;
    if (!isFound && !readFromBeginning(recording.path, range, samples))
        return Copied::NotRead;
    if (range.channel) {
        keepChannel(samples, info.channels, *range.channel);
        info.channels = 1;
    }
    info.format = SF_FORMAT_WAV | sampleTypeOf(info);
    SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
    if (file == nullptr)
        return Copied::NotWritten;
    const bool isWhole = write(file, samples.data(), range.count) == range.count;
    return sf_close(file) == 0 && isWhole ? Copied::Yes : Copied::NotWritten;
}

} // namespace

std::optional<Segment> parseSegment(const std::string& rest)
{
    const std::vector<std::string> fields = splitAtBlanks(rest, " \t");
    if (fields.size() < 3)
        return std::nullopt;
    const std::optional<double> begin = parseNumber<double>(fields[1]);
    const std::optional<double> end = parseNumber<double>(fields[2]);
    if (!begin || !end || *begin < 0 || (*end >= 0 && *end <= *begin))
        return std::nullopt;
    const auto channel = fields.size() > 3 ? parseNumber<int>(fields[3]) : std::nullopt;
    if (fields.size() > 3 && (!channel || *channel < 0))
        return std::nullopt;
    return Segment { fields[0], { *begin, *end, channel } };
}

std::string fileNameOf(std::string_view id, std::string_view extension)
{
    std::string name;
    for (const char c : id)
        name += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
    return name.append(extension);
}

bool isNameTooLong(const std::filesystem::path& file, size_t added)
{
    return file.filename().string().size() + added > NAME_MAX;
}

Result<CutPart> cutAudio(
    const std::filesystem::path& recording, const Cut& cut, const std::filesystem::path& file)
{
    SF_INFO info {};
    const SoundFile source(sf_open(recording.c_str(), SFM_READ, &info));
    if (!source)
        return CutPart { .whyNone = "a recording that cannot be read" };
    if (std::string why = whyNoPart(info, cut); !why.empty())
        return CutPart { .whyNone = std::move(why) };
    const Range range = rangeOf(info, cut);
    if (range.count == 0)
        return CutPart { .whyNone = "a segment that is shorter than a sample" };
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    const std::filesystem::path unfinished = file.string() + ".tmp";
    const OpenRecording opened { recording, source.get(), info };
    const Copied copied = isFloating(sampleTypeOf(info)) ? copy<double>(opened, range, unfinished)
                                                         : copy<int>(opened, range, unfinished);
    if (copied != Copied::Yes)
        std::filesystem::remove(unfinished, error);
    if (copied == Copied::NotWritten)
        return Error { "cannot write '" + file.string() + "': no permission, or the disk is full" };
    if (copied == Copied::NotRead)
        return CutPart { .whyNone = "a segment in which its recording is corrupt" };
    if (Status published = publishFile(unfinished, file); !published)
        return published.error();
    return CutPart { .lackingSeconds = std::max(cut.endSeconds - secondsOf(info), 0.0) };
}

} // namespace earwright::data
