#include "core/data/prepare/fsdd.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"

#include <optional>
#include <utility>
#include <vector>

namespace earwright::data {
namespace {

constexpr const char* kDigits[]
    = { "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine" };

struct Recording {
    size_t digit = 0;
    std::string speaker;
    int take = 0;
};

std::optional<Recording> parseName(const std::string& stem)
{
    const std::vector<std::string> parts = split(stem, '_');
    if (parts.size() != 3)
        return std::nullopt;
    const auto digit = parseNumber<unsigned>(parts[0]);
    const auto take = parseNumber<int>(parts[2]);
    if (!digit || *digit > 9 || !take || *take < 0 || parts[1].empty())
        return std::nullopt;
    return Recording { *digit, parts[1], *take };
}

} // namespace

Result<Corpus> readFsdd(const std::filesystem::path& folder, const GoOn& goOn)
{
    const std::filesystem::path recordings = folder / "recordings";
    std::error_code error;
    std::filesystem::directory_iterator(recordings, error);
    if (error)
        return Error { "cannot list '" + recordings.string() + "': " + error.message()
            + "; name the folder of free-spoken-digit-dataset" };
    const std::vector<std::filesystem::path> files = sortedEntries(recordings);
    goOn.expect(files.size());
    Corpus corpus;
    for (const std::filesystem::path& file : files) {
        if (!goOn())
            return stoppedIn(folder);
        const std::string stem = file.stem().string();
        const std::optional<Recording> recording = parseName(stem);
        if (!recording || file.extension() != ".wav") {
            corpus.dropped["not named digit_speaker_take.wav"].push_back(file.filename().string());
            continue;
        }
        Utterance utterance;
        utterance.id = stem;
        utterance.wav = std::filesystem::absolute(file).string();
        utterance.speaker = recording->speaker;
        utterance.text = kDigits[recording->digit];
        corpus.add(recording->take < 5 ? "test"
                : recording->take < 10 ? "dev"
                                       : "train",
            std::move(utterance));
    }
    return corpus;
}

} // namespace earwright::data
