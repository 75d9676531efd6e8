#include "core/data/prepare/aishell1.h"

#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace kymo::data {
namespace {

using Texts = std::map<std::string, std::string>;

Result<Texts> readTranscripts(const std::filesystem::path& root, bool keepText, Corpus& corpus)
{
    const std::filesystem::path file = root / "transcript" / "aishell_transcript_v0.8.txt";
    const Result<std::string> lines = readText(file);
    if (!lines && isFile(file))
        return lines.error();
    if (!lines)
        return Error { lines.error().message + "; name the folder data_aishell of AISHELL-1" };
    Texts texts;
    for (const std::string& line : split(*lines, '\n')) {
        auto [id, text] = idAndRest(line);
        if (!keepText)
            std::erase(text, ' ');
        if (!id.empty() && !texts.try_emplace(id, std::move(text)).second)
            corpus.dropped[kRepeatedId].push_back(id + ", in the transcripts");
    }
    return texts;
}

constexpr const char* kSplits[] = { "train", "dev", "test" };
constexpr std::string_view kArchive = ".tar.gz";

/// The archives of speakers without a folder.
std::vector<std::string> packedIn(const std::filesystem::path& wav)
{
    std::vector<std::string> packed;
    for (const std::filesystem::path& entry : sortedEntries(wav)) {
        const std::string name = entry.filename().string();
        if (!name.ends_with(kArchive))
            continue;
        const std::string speaker = name.substr(0, name.size() - kArchive.size());
        const bool isUnpacked = std::any_of(std::begin(kSplits), std::end(kSplits),
            [&](const char* split) { return isFolder(wav / split / speaker); });
        if (!isUnpacked)
            packed.push_back(name);
    }
    return packed;
}

struct File {
    std::string split;
    std::filesystem::path wav;
};

std::vector<File> filesIn(const std::filesystem::path& root)
{
    std::vector<File> files;
    for (const char* split : kSplits)
        for (const std::filesystem::path& speaker : sortedEntries(root / "wav" / split))
            for (const std::filesystem::path& file : sortedEntries(speaker))
                if (file.extension() == ".wav")
                    files.push_back({ split, file });
    return files;
}

void addFile(const File& file, const Texts& texts, std::set<std::string>& ids, Corpus& corpus)
{
    const std::filesystem::path& wav = file.wav;
    const auto text = texts.find(wav.stem().string());
    if (text == texts.end()) {
        corpus.dropped["no transcript"].push_back(wav.stem().string());
        return;
    }
    if (!ids.insert(text->first).second) {
        corpus.dropped[kRepeatedId].push_back(wav.string());
        return;
    }
    Utterance utterance;
    utterance.id = text->first;
    utterance.wav = std::filesystem::absolute(wav).string();
    utterance.speaker = wav.parent_path().filename().string();
    utterance.text = text->second;
    if (utterance.text.empty())
        corpus.dropped["no text"].push_back(utterance.id);
    else
        corpus.add(file.split, std::move(utterance));
}

} // namespace

Result<Corpus> readAishell1(const std::filesystem::path& folder, bool keepText, const GoOn& goOn)
{
    const std::filesystem::path root = rootOf(folder, "data_aishell");
    Corpus corpus;
    corpus.otherFolder = otherRootOf(folder, "data_aishell");
    const Result<Texts> texts = readTranscripts(root, keepText, corpus);
    if (!texts)
        return texts.error();
    const std::vector<std::string> packed = packedIn(root / "wav");
    if (!packed.empty() && !isFolder(root / "wav" / "train"))
        return Error { "the speakers' archives in '" + (root / "wav").string()
            + "' are not unpacked: cd into it and run 'for f in *.tar.gz; do tar xzf $f; done'" };
    if (!packed.empty())
        corpus.dropped["archives in wav that are not unpacked"] = packed;
    std::set<std::string> ids;
    const std::vector<File> files = filesIn(root);
    goOn.expect(files.size());
    for (const File& file : files) {
        if (!goOn())
            return stoppedIn(root);
        addFile(file, *texts, ids, corpus);
    }
    for (const auto& [id, text] : *texts)
        if (!ids.contains(id))
            corpus.dropped["no audio file"].push_back(id);
    return corpus;
}

} // namespace kymo::data
