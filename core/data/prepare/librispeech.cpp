#include "core/data/prepare/librispeech.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace earwright::data {
namespace {

/// One of a chapter's transcripts.
struct TranscriptLine {
    std::string part;
    std::filesystem::path file; ///< that it stands in
    std::string id;
    std::string words;
};

Status readTranscripts(const std::string& part, const std::filesystem::path& file,
    std::vector<TranscriptLine>& lines, Corpus& corpus)
{
    const Result<std::string> text = readFile(file);
    if (!text) {
        corpus.dropped["transcripts that cannot be read"].push_back(file.string());
        return Done {};
    }
    if (Status checked = checkText(*text, file); !checked)
        return checked;
    for (const std::string& line : split(withoutByteOrderMark(*text), '\n')) {
        auto [id, words] = idAndRest(line);
        if (!id.empty())
            lines.push_back({ part, file, std::move(id), std::move(words) });
    }
    return Done {};
}

Status readChapter(const std::string& part, const std::filesystem::path& folder,
    std::vector<TranscriptLine>& lines, Corpus& corpus)
{
    const size_t before = lines.size();
    const std::vector<std::filesystem::path> files = sortedEntries(folder);
    for (const std::filesystem::path& file : files) {
        if (!file.filename().string().ends_with(".trans.txt"))
            continue;
        if (Status read = readTranscripts(part, file, lines, corpus); !read)
            return read;
    }
    std::set<std::string> told;
    for (size_t i = before; i < lines.size(); ++i)
        told.insert(lines[i].id);
    for (const std::filesystem::path& file : files)
        if (file.extension() == ".flac" && !told.contains(file.stem().string()))
            corpus.dropped["no transcript"].push_back(file.stem().string());
    return Done {};
}

/// Of these parts; none = of all.
Result<std::vector<TranscriptLine>> readTranscriptLines(
    const std::filesystem::path& root, const std::vector<std::string>& wanted, Corpus& corpus)
{
    std::vector<TranscriptLine> lines;
    bool isAnyPart = false;
    for (const std::filesystem::path& part : sortedEntries(root)) {
        const std::string name = part.filename().string();
        if (groupOf(name).empty() || !isFolder(part))
            continue;
        isAnyPart = true;
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end())
            continue;
        for (const std::filesystem::path& speaker : sortedEntries(part))
            for (const std::filesystem::path& chapter : sortedEntries(speaker))
                if (Status read = readChapter(name, chapter, lines, corpus); !read)
                    return read.error();
    }
    if (!isAnyPart)
        return Error { "'" + root.string()
            + "' has no part of LibriSpeech (train-clean-100, dev-clean, test-clean …); name the "
              "folder that tar unpacked them into" };
    return lines;
}

Utterance toUtterance(const TranscriptLine& line)
{
    const std::filesystem::path chapter = line.file.parent_path();
    Utterance utterance;
    utterance.id = line.id;
    utterance.wav = std::filesystem::absolute(chapter / (line.id + ".flac")).string();
    utterance.speaker = chapter.parent_path().filename().string();
    utterance.text = line.words;
    return utterance;
}

} // namespace

Result<Corpus> readLibriSpeech(
    const std::filesystem::path& folder, const std::vector<std::string>& wanted, const GoOn& goOn)
{
    const std::filesystem::path root = rootOf(folder, "LibriSpeech");
    Corpus corpus;
    corpus.otherFolder = otherRootOf(folder, "LibriSpeech");
    const Result<std::vector<TranscriptLine>> lines = readTranscriptLines(root, wanted, corpus);
    if (!lines)
        return lines.error();
    goOn.expect(lines->size());
    std::set<std::string> ids;
    for (const TranscriptLine& line : *lines) {
        if (!goOn())
            return stoppedIn(root);
        if (!ids.insert(line.id).second)
            corpus.dropped[kRepeatedId].push_back(line.id + ", in " + line.file.string());
        else if (line.words.empty())
            corpus.dropped["no text"].push_back(line.id);
        else
            corpus.add(line.part, toUtterance(line));
    }
    return corpus;
}

} // namespace earwright::data
