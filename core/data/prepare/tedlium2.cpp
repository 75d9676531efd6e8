#include "core/data/prepare/tedlium2.h"

#include "core/base/code_point.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/segment.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace earwright::data {
namespace {

/// Its transcript is of no use.
constexpr const char* kUselessTalk = "JillSobuleMANHATTANINJANUARY_2006";
constexpr const char* kIgnored = "ignore_time_segment_in_scoring";

struct Talk {
    std::string split;
    std::filesystem::path sound;
    std::filesystem::path text;
};

std::vector<Talk> talksIn(const std::filesystem::path& folder)
{
    std::vector<Talk> talks;
    for (const char* split : { "train", "dev", "test" })
        for (const std::filesystem::path& file : sortedEntries(folder / split / "sph"))
            if (file.extension() == ".sph" && file.stem() != kUselessTalk)
                talks.push_back(
                    { split, file, folder / split / "stm" / (file.stem().string() + ".stm") });
    return talks;
}

std::string joined(std::string text)
{
    for (const char* ending : { "'ve", "'t", "'ll", "'d", "'m", "'re", "'s" }) {
        const std::string parted = std::string(" ") + ending;
        for (size_t at = text.find(parted); at != std::string::npos; at = text.find(parted, at))
            text.erase(at, 1);
    }
    return text;
}

/// "" where it is none to learn from.
std::string transcriptOf(std::vector<std::string> words)
{
    if (words.size() <= 1)
        return "";
    std::string text = join(words, " ");
    if (const std::vector<std::string> characters = codePoints(text);
        !isLetter(codeOf(characters.back())))
        text.resize(text.size() - characters.back().size());
    text = joined(std::string(trim(text)));
    return text == kIgnored ? "" : text;
}

/// A line of an .stm: TALK CHANNEL SPEAKER BEGIN END <LABELS> WORDS…
Status addStmLine(const Talk& talk, const std::string& line, size_t number,
    const Tedlium2Options& options, Corpus& corpus)
{
    std::vector<std::string> fields = splitAtBlanks(line);
    if (fields.empty())
        return Done {};
    Utterance utterance;
    utterance.id = fields[0] + "-" + std::to_string(number);
    const auto begin = fields.size() < 6 ? std::nullopt : parseNumber<double>(fields[3]);
    const auto end = fields.size() < 6 ? std::nullopt : parseNumber<double>(fields[4]);
    if (!begin || !end) {
        corpus.dropped["a line that is none of an .stm"].push_back(utterance.id);
        return Done {};
    }
    if (*end - *begin < options.shortestSeconds) {
        corpus.dropped["shorter than avoid_if_shorter_than"].push_back(utterance.id);
        return Done {};
    }
    utterance.speaker = fields[2];
    utterance.text = transcriptOf({ fields.begin() + 6, fields.end() });
    utterance.wav
        = std::filesystem::absolute(options.cutFolder / talk.split / fileNameOf(utterance.id))
              .string();
    if (utterance.text.empty()) {
        corpus.dropped["a text of one word, or one to be ignored"].push_back(utterance.id);
        return Done {};
    }
    return addSegment(corpus, talk.split, std::move(utterance), talk.sound,
        { .beginSeconds = *begin, .endSeconds = *end });
}

Status addTalk(const Talk& talk, const Tedlium2Options& options, Corpus& corpus)
{
    const Result<std::string> text = readText(talk.text);
    if (!text) {
        corpus.dropped["no .stm that can be read"].push_back(talk.sound.stem().string());
        return Done {};
    }
    const std::vector<std::string> lines = split(*text, '\n');
    for (size_t i = 0; i < lines.size(); ++i)
        if (Status added = addStmLine(talk, lines[i], i, options, corpus); !added)
            return added;
    return Done {};
}

} // namespace

Result<Corpus> readTedlium2(const Tedlium2Options& options, const GoOn& goOn)
{
    const std::vector<Talk> talks = talksIn(options.folder);
    if (talks.empty())
        return Error { "'" + options.folder.string()
            + "' has no train/sph/*.sph of TED-LIUM 2; name the folder TEDLIUM_release2" };
    Corpus corpus;
    goOn.expect(talks.size());
    for (const Talk& talk : talks) {
        if (!goOn())
            return stoppedIn(options.folder);
        if (const Status added = addTalk(talk, options, corpus); !added)
            return added.error();
    }
    corpus.noteWhole();
    return corpus;
}

} // namespace earwright::data
