#include "core/data/prepare/common_voice.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/normalize.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

namespace earwright::data {
namespace {

struct Clip {
    std::string speaker;
    std::string file;
    std::string sentence;
    std::string language; ///< "tr"
};

/// The fields of a line; quotes mean nothing in these lists.
std::vector<std::string> fieldsOf(const std::string& line)
{
    std::vector<std::string> fields = split(line, '\t');
    for (std::string& field : fields)
        field = std::string(trim(field));
    return fields;
}

/// The places of client_id, path and sentence.
Result<std::vector<size_t>> columnsOf(
    const std::vector<std::string>& header, const std::filesystem::path& tsv)
{
    std::vector<size_t> columns;
    for (const char* name : { "client_id", "path", "sentence" }) {
        const auto at = std::find(header.begin(), header.end(), name);
        if (at == header.end())
            return Error { "'" + tsv.string() + "' has no column '" + name + "'; it has "
                + join(header, ", ") };
        columns.push_back(static_cast<size_t>(at - header.begin()));
    }
    return columns;
}

/// Rows with a tab too many or too few, whose fields are not where the header says, are dropped.
Result<std::vector<Clip>> readClips(const std::filesystem::path& tsv, Corpus& corpus)
{
    const Result<std::string> text = readText(tsv);
    if (!text && isFile(tsv))
        return text.error();
    if (!text)
        return Error { text.error().message
            + "; name the folder of one language, which holds clips and train.tsv" };
    const std::vector<std::string> lines = split(*text, '\n');
    const std::vector<std::string> header = fieldsOf(lines.front());
    const Result<std::vector<size_t>> columns = columnsOf(header, tsv);
    if (!columns)
        return columns.error();
    // Lists before 2019 do not name it; the release's folder does.
    const auto locale
        = static_cast<size_t>(std::find(header.begin(), header.end(), "locale") - header.begin());
    std::vector<Clip> clips;
    for (size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> fields = fieldsOf(lines[i]);
        if (fields.size() == header.size())
            clips.push_back({ fields[(*columns)[0]], fields[(*columns)[1]], fields[(*columns)[2]],
                locale < fields.size() ? fields[locale] : nameOf(tsv.parent_path()) });
        else if (!trim(lines[i]).empty())
            corpus.dropped["more or fewer fields than the header has"].push_back(
                tsv.filename().string() + ", line " + std::to_string(i + 1));
    }
    return clips;
}

struct Listed {
    std::string split;
    Clip clip;
};

Result<std::vector<Listed>> readSplits(const std::filesystem::path& folder, Corpus& corpus)
{
    std::vector<Listed> all;
    for (const std::string split : { "train", "dev", "test" }) {
        Result<std::vector<Clip>> clips = readClips(folder / (split + ".tsv"), corpus);
        if (!clips)
            return clips.error();
        for (Clip& clip : *clips)
            all.push_back({ split, std::move(clip) });
    }
    return all;
}

/// The file's name without its ending.
std::string idOf(const Clip& clip)
{
    return std::filesystem::path(clip.file).stem().string();
}

/// Lists of the first releases leave ".mp3" out.
std::filesystem::path fileOf(const Clip& clip, const std::filesystem::path& clips)
{
    const std::filesystem::path file = std::filesystem::absolute(clips / clip.file);
    const std::filesystem::path mp3 = file.string() + ".mp3";
    return !isFile(file) && isFile(mp3) ? mp3 : file;
}

void addClip(const std::string& split, const Clip& clip, const std::filesystem::path& clips,
    bool keepText, Corpus& corpus)
{
    Utterance utterance;
    utterance.id = idOf(clip);
    utterance.wav = fileOf(clip, clips).string();
    utterance.speaker = clip.speaker;
    if (keepText)
        countTags(clip.sentence, corpus.tags);
    const std::string text = keepText ? clip.sentence : withoutTags(clip.sentence, corpus.tags);
    utterance.text = keepText ? text : normalizeTranscript(text, clip.language);
    const bool isOnlyTags = trim(text).empty() && !clip.sentence.empty();
    if (!keepText && hasDigit(text))
        corpus.dropped[kReadAsWords].push_back(utterance.id);
    else if (utterance.text.empty())
        corpus.dropped[isOnlyTags ? kOnlyTags : "no text"].push_back(utterance.id);
    else
        corpus.add(split, std::move(utterance));
}

/// Validated clips that the release has put into none of its splits.
void reportRest(
    const std::filesystem::path& folder, const std::set<std::string>& used, Corpus& corpus)
{
    if (!isFile(folder / "validated.tsv"))
        return;
    const Result<std::vector<Clip>> validated = readClips(folder / "validated.tsv", corpus);
    if (!validated) {
        corpus.notes.push_back(validated.error().message);
        return;
    }
    for (const Clip& clip : *validated)
        if (!used.contains(idOf(clip)))
            corpus.dropped["validated, but in no split of this release"].push_back(idOf(clip));
}

/// Of the lists whose clips are not for training: nobody has voted on them, or most against them.
void noteUnused(const std::filesystem::path& folder, Corpus& corpus)
{
    for (const auto& [name, why] : { std::pair { "invalidated.tsv", "voted to be wrong" },
             { "other.tsv", "not validated yet" } }) {
        const Result<std::string> text = readFile(folder / name);
        if (!text)
            continue;
        std::vector<std::string> rows = split(*text, '\n');
        std::erase_if(rows, [](const std::string& row) { return trim(row).empty(); });
        const size_t numClips = rows.size() - std::min<size_t>(rows.size(), 1); // the header
        corpus.notes.push_back("left out: '" + std::string(name) + "', " + why
            + " (clips: " + std::to_string(numClips) + ")");
    }
}

} // namespace

Result<Corpus> readCommonVoice(const std::filesystem::path& folder, bool keepText, const GoOn& goOn)
{
    Corpus corpus;
    const Result<std::vector<Listed>> all = readSplits(folder, corpus);
    if (!all)
        return all.error();
    goOn.expect(all->size());
    std::set<std::string> used;
    for (const auto& [split, clip] : *all) {
        if (!goOn())
            return stoppedIn(folder);
        const std::string id = idOf(clip);
        if (id.empty())
            corpus.dropped["no path in the list"].push_back(clip.sentence);
        else if (used.insert(id).second)
            addClip(split, clip, folder / "clips", keepText, corpus);
        else
            corpus.dropped[kRepeatedId].push_back(clip.file + ", in " + split + ".tsv");
    }
    reportRest(folder, used, corpus);
    noteUnused(folder, corpus);
    corpus.noteWhole();
    return corpus;
}

} // namespace earwright::data
