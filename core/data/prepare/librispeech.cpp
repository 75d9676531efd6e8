#include "core/data/prepare/librispeech.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/parts.h"

#include <set>
#include <utility>

namespace kymo::data {
namespace {

/// Reads one chapter after the other into a corpus.
class Reader final {
public:
    Reader(Corpus& corpus, const GoOn& goOn)
        : m_corpus(corpus)
        , m_goOn(goOn)
    {
    }

    /// False where it was told to end.
    bool readChapter(const std::string& part, const std::filesystem::path& folder)
    {
        std::set<std::string> told;
        const std::vector<std::filesystem::path> files = sortedEntries(folder);
        for (const std::filesystem::path& file : files) {
            if (file.filename().string().ends_with(".trans.txt")
                && !readTranscripts(part, file, told))
                return false;
        }
        for (const std::filesystem::path& file : files) {
            if (file.extension() == ".flac" && !told.contains(file.stem().string()))
                m_corpus.dropped["no transcript"].push_back(file.stem().string());
        }
        return true;
    }

private:
    bool readTranscripts(
        const std::string& part, const std::filesystem::path& file, std::set<std::string>& told)
    {
        const Result<std::string> text = readFile(file);
        if (!text) {
            m_corpus.dropped["transcripts that cannot be read"].push_back(file.string());
            return true;
        }
        for (const std::string& line : split(*text, '\n')) {
            if (trim(line).empty())
                continue;
            if (!m_goOn())
                return false;
            const auto [id, words] = idAndRest(line);
            told.insert(id);
            if (words.empty())
                m_corpus.dropped["no text"].push_back(id);
            else
                add(part, id, words, file.parent_path());
        }
        return true;
    }

    void add(const std::string& part, const std::string& id, const std::string& words,
        const std::filesystem::path& chapter)
    {
        Utterance utterance;
        utterance.id = id;
        utterance.wav = std::filesystem::absolute(chapter / (id + ".flac")).string();
        utterance.speaker = chapter.parent_path().filename().string();
        utterance.text = words;
        m_corpus.add(part, std::move(utterance));
    }

    Corpus& m_corpus;
    const GoOn& m_goOn;
};

} // namespace

Result<Corpus> readLibriSpeech(const std::filesystem::path& folder, const GoOn& goOn)
{
    const std::filesystem::path root = rootOf(folder, "LibriSpeech");
    Corpus corpus;
    Reader reader(corpus, goOn);
    bool isAnyPart = false;
    for (const std::filesystem::path& part : sortedEntries(root)) {
        const std::string name = part.filename().string();
        if (groupOf(name).empty() || !isFolder(part))
            continue;
        isAnyPart = true;
        for (const std::filesystem::path& speaker : sortedEntries(part))
            for (const std::filesystem::path& chapter : sortedEntries(speaker))
                if (!reader.readChapter(name, chapter))
                    return stoppedIn(root);
    }
    if (!isAnyPart)
        return Error { "'" + root.string()
            + "' has no part of LibriSpeech (train-clean-100, dev-clean, test-clean …); name the "
              "folder that tar unpacked them into" };
    return corpus;
}

} // namespace kymo::data
