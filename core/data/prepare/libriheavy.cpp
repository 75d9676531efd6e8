#include "core/data/prepare/libriheavy.h"

#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"
#include "core/data/prepare/capital_words.h"
#include "core/settings/corpus.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <zlib.h>

namespace earwright::data {
namespace {

using LineJson = nlohmann::json;

constexpr double kLeastSeconds = 1;
constexpr double kMostSeconds = 100;
constexpr size_t kLeastCharacters = 3;

struct ListCloser {
    void operator()(gzFile_s* file) const { gzclose(file); }
};
using PackedList = std::unique_ptr<gzFile_s, ListCloser>;

/// Gives each line; a list has millions.
Status eachLine(const std::filesystem::path& path, const std::function<Status(std::string)>& take)
{
    const PackedList file(gzopen(path.c_str(), "rb"));
    if (!file)
        return Error { "cannot read " + inQuotes(path.string())
            + ": no such file; manifest_folder is where Libriheavy's libriheavy_cuts_….jsonl.gz "
              "are" };
    std::array<char, 1 << 16> block {};
    std::string line;
    while (gzgets(file.get(), block.data(), static_cast<int>(block.size())) != nullptr) {
        line += block.data();
        if (!line.ends_with('\n'))
            continue;
        if (Status taken = take(std::exchange(line, {})); !taken)
            return taken;
    }
    int problem = Z_OK;
    const std::string why = gzerror(file.get(), &problem);
    if (problem != Z_OK && problem != Z_STREAM_END)
        return Error { "cannot read " + inQuotes(path.string()) + ": " + why };
    return line.empty() ? Status(Done {}) : take(std::move(line));
}

/// What a line of lhotse's list says; nothing where it has another form.
std::optional<Utterance> cutIn(const std::string& line)
{
    const LineJson cut = parseShallow<LineJson>(line);
    try {
        const LineJson& spoken = cut.at("supervisions").at(0);
        Utterance utterance;
        utterance.id = cut.at("id").get<std::string>();
        utterance.wav = cut.at("recording").at("id").get<std::string>();
        utterance.part.begin = cut.at("start").get<double>();
        utterance.durationSeconds = cut.at("duration").get<double>();
        utterance.part.seconds = utterance.durationSeconds;
        utterance.speaker = spoken.at("speaker").is_string()
            ? spoken.at("speaker").get<std::string>()
            : spoken.at("speaker").dump();
        utterance.text = spoken.at("custom").at("texts").at(1).get<std::string>();
        return utterance;
    } catch (const LineJson::exception&) {
        return std::nullopt;
    }
}

/// "large/100/book/file" lies in the folder of its part, whatever the first name says.
std::filesystem::path soundOf(
    const std::string& recording, const std::string& part, const std::filesystem::path& folder)
{
    const bool isHeard = part.starts_with("dev") || part.starts_with("test");
    const std::string inside = recording.substr(recording.find('/') + 1);
    return std::filesystem::absolute(folder / (isHeard ? "large" : part) / (inside + ".flac"));
}

void addCut(const std::string& part, const std::filesystem::path& folder, Utterance utterance,
    Corpus& corpus)
{
    utterance.wav = soundOf(utterance.wav, part, folder).string();
    const std::optional<std::string> words = capitalWords(utterance.text);
    if (utterance.durationSeconds < kLeastSeconds || utterance.durationSeconds > kMostSeconds)
        corpus.dropped["shorter than 1 s or longer than 100 s"].push_back(utterance.id);
    else if (!words || words->size() < kLeastCharacters)
        corpus.dropped[words ? "a text of fewer than 3 characters" : kUnclearSigns].push_back(
            utterance.id);
    else if (!isFile(utterance.wav))
        corpus.dropped["no audio file"].push_back(utterance.id);
    else {
        utterance.text = *words;
        corpus.splits[part].push_back(std::move(utterance));
    }
}

} // namespace

Result<Corpus> readLibriheavy(const LibriheavyOptions& options, const GoOn& goOn)
{
    Corpus corpus;
    const std::vector<std::string> parts
        = options.parts.empty() ? settings::libriheavyParts(options.manifestFolder) : options.parts;
    if (parts.empty())
        return Error { inQuotes(options.manifestFolder.string())
            + " has no libriheavy_cuts_….jsonl.gz of Libriheavy" };
    for (const std::string& part : parts) {
        size_t number = 0;
        const std::filesystem::path list
            = options.manifestFolder / ("libriheavy_cuts_" + part + ".jsonl.gz");
        const Status read = eachLine(list, [&](const std::string& line) -> Status {
            ++number;
            if (!goOn())
                return stoppedIn(options.manifestFolder);
            std::optional<Utterance> cut = cutIn(line);
            if (!cut)
                return Error { inQuotes(list.string()) + ", line " + std::to_string(number)
                    + ": no cut of Libriheavy (id, recording, start, duration, supervisions)" };
            addCut(part, options.folder, std::move(*cut), corpus);
            return Done {};
        });
        if (!read)
            return read.error();
    }
    corpus.notes.emplace_back("utterances are parts of their recordings, by start and duration; "
                              "validation and test too, of which upstream's script reads the whole "
                              "recordings");
    return corpus;
}

} // namespace earwright::data
