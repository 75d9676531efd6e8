#include "core/data/open_sound.h"

#include "core/base/not_text.h"
#include "core/data/mp3.h"
#include "core/data/riff.h"

#include <algorithm>
#include <utility>

namespace earwright::data {
namespace {

/// A stream whose header does not know its length claims more than any recording.
constexpr sf_count_t kMostFrames = sf_count_t(1) << 40;

// Rates of recordings. A header with kHz where Hz belongs makes a minute of a second; a resampling
// from nonsense would need more memory than there is.
constexpr int kLowestRateHz = 1000;
constexpr int kHighestRateHz = 1'000'000;

bool isRate(int rateHz)
{
    return rateHz >= kLowestRateHz && rateHz <= kHighestRateHz;
}

std::string whyNoRate(int rateHz)
{
    return "its header says " + std::to_string(rateHz) + " Hz, recordings have "
        + std::to_string(kLowestRateHz) + " to " + std::to_string(kHighestRateHz)
        + " Hz; correct the header";
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
    if (const std::string packed = whyPacked(path); !packed.empty())
        return "it " + packed;
    // sf_strerror(nullptr) is of the whole program: another thread may have cleared it
    return "its header is not sound (is it a WAV or FLAC file?)";
}

/// "12 bit DWVW"
std::string codingOf(int format)
{
    SF_FORMAT_INFO info {};
    info.format = format & SF_FORMAT_SUBMASK;
    const bool isKnown = sf_command(nullptr, SFC_GET_FORMAT_INFO, &info, sizeof info) == 0;
    return isKnown && info.name != nullptr ? info.name : "which it has no name for";
}

/// Some codings libsndfile knows by name alone: it opens a file and reads nothing.
std::string whyNothing(SNDFILE* file, int format)
{
    if (sf_error(file) == SF_ERR_NO_ERROR)
        return {};
    std::string said = sf_strerror(file);
    said.erase(said.find_last_not_of(". ") + 1);
    return "libsndfile cannot decode its coding, " + codingOf(format) + " (" + said
        + "); convert it to WAV or FLAC";
}

int containerOf(const SF_INFO& info)
{
    return info.format & SF_FORMAT_TYPEMASK;
}

/// Each sample is an integer of its own; no compressed one, no number that may be none.
bool isPlain(const SF_INFO& info)
{
    const int coding = info.format & SF_FORMAT_SUBMASK;
    return isFoundAnywhere(info) && containerOf(info) != SF_FORMAT_FLAC && coding != SF_FORMAT_FLOAT
        && coding != SF_FORMAT_DOUBLE;
}

} // namespace

Error cannotRead(const std::filesystem::path& path, const std::string& why)
{
    return Error { "cannot read audio '" + path.string() + "': " + why };
}

Result<OpenedFile> openFile(const std::filesystem::path& path)
{
    SF_INFO info {};
    SoundFile file(sf_open(path.c_str(), SFM_READ, &info));
    if (!file)
        return cannotRead(path, whyNone(path));
    const int type = containerOf(info);
    const bool isWav = type == SF_FORMAT_WAV || type == SF_FORMAT_WAVEX;
    if (const int64_t missing = isWav ? missingWavBytes(path) : 0; missing > 0)
        return cannotRead(path,
            "it is cut short: " + std::to_string(missing)
                + " bytes that its header promises are not there");
    if (type == SF_FORMAT_MPEG)
        info.frames
            = std::min<sf_count_t>(info.frames, countedMp3Samples(path).value_or(info.frames));
    if (!isRate(info.samplerate))
        return cannotRead(path, whyNoRate(info.samplerate));
    if (info.frames <= 0)
        return cannotRead(path, "it holds no samples");
    if (info.frames > kMostFrames)
        return cannotRead(path, "its header does not say how long it is; encode it again");
    return OpenedFile { std::move(file), info };
}

Result<Sound> openSound(const std::filesystem::path& path)
{
    if (path.extension() == ".flac")
        if (std::optional<Sound> flac = openFlac(path); flac && isRate(flac->info.sampleRateHz))
            return *std::move(flac);
    Result<OpenedFile> opened = openFile(path);
    if (!opened)
        return opened.error();
    if (containerOf(opened->info) == SF_FORMAT_FLAC)
        if (std::optional<Sound> flac = openFlac(path))
            return *std::move(flac);
    const std::shared_ptr<SNDFILE> file = std::move(opened->file);
    return Sound { infoOf(opened->info),
        [file](float* to, int64_t frames) -> int64_t {
            return sf_readf_float(file.get(), to, frames);
        },
        [file, format = opened->info.format] { return whyNothing(file.get(), format); } };
}

bool isFoundAnywhere(const SF_INFO& info)
{
    // These pack samples into blocks, of which libsndfile loses the last when it is sent there.
    const int type = containerOf(info);
    if (type == SF_FORMAT_SDS || type == SF_FORMAT_PAF)
        return false;
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

AudioInfo infoOf(const SF_INFO& info)
{
    return { info.frames, info.samplerate, info.channels, isPlain(info) };
}

} // namespace earwright::data
