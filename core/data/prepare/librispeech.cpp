#include "core/data/prepare/librispeech.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/text_file.h"

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

    Status readChapter(const std::string& part, const std::filesystem::path& folder)
    {
        std::set<std::string> told;
        const std::vector<std::filesystem::path> files = sortedEntries(folder);
        for (const std::filesystem::path& file : files) {
            if (!file.filename().string().ends_with(".trans.txt"))
                continue;
            if (Status read = readTranscripts(part, file, told); !read)
                return read;
        }
        for (const std::filesystem::path& file : files) {
            if (file.extension() == ".flac" && !told.contains(file.stem().string()))
                m_corpus.dropped["no transcript"].push_back(file.stem().string());
        }
        return Done {};
    }

private:
    Status readTranscripts(
        const std::string& part, const std::filesystem::path& file, std::set<std::string>& told)
    {
        const Result<std::string> text = readFile(file);
        if (!text) {
            m_corpus.dropped["transcripts that cannot be read"].push_back(file.string());
            return Done {};
        }
        if (Status checked = checkText(*text, file); !checked)
            return checked;
        for (const std::string& line : split(*text, '\n')) {
            if (trim(line).empty())
                continue;
            if (!m_goOn())
                return stoppedIn(file.parent_path());
            const auto [id, words] = idAndRest(line);
            told.insert(id);
            if (!m_ids.insert(id).second)
                m_corpus.dropped[kRepeatedId].push_back(id + ", in " + file.string());
            else if (words.empty())
                m_corpus.dropped["no text"].push_back(id);
            else
                add(part, id, words, file.parent_path());
        }
        return Done {};
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
    std::set<std::string> m_ids; ///< of all chapters
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
                if (Status read = reader.readChapter(name, chapter); !read)
                    return read.error();
    }
    if (!isAnyPart)
        return Error { "'" + root.string()
            + "' has no part of LibriSpeech (train-clean-100, dev-clean, test-clean …); name the "
              "folder that tar unpacked them into" };
    return corpus;
}

} // namespace kymo::data
