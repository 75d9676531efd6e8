#include "core/data/prepare/kaldi.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/audio.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/segment.h"
#include "core/data/prepare/text_file.h"
#include "core/data/prepare/wav_scp.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace earwright::data {
namespace {

/// Where a command takes one channel of several.
std::string whyNotWhole(const Source& source, const std::filesystem::path& file)
{
    if (!source.channel)
        return "";
    const Result<AudioInfo> info = readAudioInfo(file);
    const bool isOnly = !info || (info->channels == 1 && *source.channel == 1);
    return isOnly ? ""
                  : whyNotExecuted("channel " + std::to_string(*source.channel) + " of "
                      + std::to_string(info->channels));
}

/// One data folder.
class Part final {
public:
    Part(std::filesystem::path folder, const KaldiOptions& options)
        : m_name(nameOf(folder))
        , m_folder(std::move(folder))
        , m_options(options)
    {
    }

    /// How many utterances have a transcript.
    Result<size_t> readTables(Corpus& corpus)
    {
        Table speakers; // with their utterances
        for (const auto& [name, table] :
            { std::pair { "wav.scp", &m_wavs }, { "text", &m_text }, { "utt2spk", &m_speakers },
                { "spk2utt", &speakers }, { "segments", &m_segments } }) {
            const bool isNeeded = table == &m_wavs || table == &m_text;
            if (!isNeeded && !isFile(m_folder / name))
                continue;
            std::vector<std::string> repeated;
            Result<Table> read = readTable(m_folder / name, repeated);
            if (!read)
                return read.error();
            *table = std::move(*read);
            for (std::string& row : repeated)
                corpus.dropped[kRepeatedId].push_back(std::move(row));
        }
        for (const auto& [speaker, row] : speakers)
            for (const std::string& id : splitAtBlanks(row.rest, " \t"))
                m_speakers.try_emplace(id, TableRow { speaker, row.line });
        return m_text.size();
    }

    Status read(Corpus& corpus, const GoOn& goOn) const
    {
        for (const auto& [id, text] : m_text) {
            if (!goOn())
                return stoppedIn(m_folder);
            if (text.rest.empty())
                corpus.dropped["no text"].push_back(id);
            else if (const std::string words = wordsOf(text.rest, corpus.tags); words.empty())
                corpus.dropped[kOnlyTags].push_back(id);
            else if (Status added = add(id, words, corpus); !added)
                return added;
        }
        for (const auto& [id, row] : m_segments.empty() ? m_wavs : m_segments)
            if (!m_text.contains(id))
                corpus.dropped["no transcript"].push_back(id);
        return Done {};
    }

private:
    std::string wordsOf(const std::string& text, TranscriptTags& tags) const
    {
        if (!m_options.keepText)
            return std::string(trim(withoutTags(text, tags)));
        countTags(text, tags);
        return text;
    }

    Status add(const std::string& id, const std::string& text, Corpus& corpus) const
    {
        Utterance utterance;
        utterance.id = id;
        utterance.text = text;
        const auto speaker = m_speakers.find(id);
        utterance.speaker = speaker == m_speakers.end() ? "" : speaker->second.rest;
        if (!m_segments.empty())
            return addSegment(std::move(utterance), corpus);
        if (!m_wavs.contains(id)) {
            corpus.dropped["not in wav.scp"].push_back(id);
            return Done {};
        }
        utterance.wav = recordingOf(id, m_wavs.at(id).rest, corpus).string();
        if (!utterance.wav.empty())
            corpus.add(m_name, std::move(utterance));
        return Done {};
    }

    Status addSegment(Utterance utterance, Corpus& corpus) const
    {
        const auto row = m_segments.find(utterance.id);
        const auto segment
            = row == m_segments.end() ? std::optional<Segment>() : parseSegment(row->second.rest);
        if (row != m_segments.end() && !segment) {
            corpus.dropped["no line of segments: ID RECORDING BEGIN END [CHANNEL]"].push_back(
                utterance.id + ", line " + std::to_string(row->second.line) + " of "
                + (m_folder / "segments").string());
            return Done {};
        }
        if (!segment || !m_wavs.contains(segment->recording)) {
            corpus.dropped["no segment of a recording in wav.scp"].push_back(utterance.id);
            return Done {};
        }
        const std::filesystem::path recording
            = recordingOf(utterance.id, m_wavs.at(segment->recording).rest, corpus);
        if (recording.empty())
            return Done {};
        utterance.wav = std::filesystem::absolute(
            m_options.segmentsFolder / m_name / fileNameOf(utterance.id))
                            .string();
        return data::addSegment(corpus, m_name, std::move(utterance), recording, segment->cut);
    }

    /// "" where the entry names none that can be read as it lies, which is told of the utterance.
    std::filesystem::path recordingOf(
        const std::string& id, const std::string& entry, Corpus& corpus) const
    {
        const Source source = sourceOf(entry);
        std::filesystem::path file;
        if (!source.path.empty())
            file = fileOf(source.path);
        std::string why = source.whyNone.empty() ? whyNotWhole(source, file) : source.whyNone;
        const bool isRelative = std::filesystem::path(source.path).is_relative();
        if (why.empty() && m_options.audioRoot.empty() && isRelative && !isFile(file))
            why = "no audio file (relative paths begin at --audio-root)";
        if (why.empty())
            return file;
        corpus.dropped[why].push_back(id);
        return {};
    }

    std::filesystem::path fileOf(const std::filesystem::path& path) const
    {
        if (path.is_absolute())
            return path;
        const std::filesystem::path folder = std::filesystem::absolute(m_folder);
        std::vector<std::filesystem::path> roots { folder, folder.parent_path(),
            folder.parent_path().parent_path(), std::filesystem::current_path() };
        if (!m_options.audioRoot.empty())
            roots = { std::filesystem::absolute(m_options.audioRoot) };
        for (const std::filesystem::path& root : roots)
            if (isFile(root / path))
                return (root / path).lexically_normal();
        return (roots.front() / path).lexically_normal();
    }

    std::string m_name;
    std::filesystem::path m_folder;
    const KaldiOptions& m_options;
    Table m_wavs;
    Table m_text;
    Table m_speakers;
    Table m_segments;
};

/// The data folders that are to be read; those beside them without transcripts are told.
std::vector<std::filesystem::path> dataFolders(const std::filesystem::path& root, Corpus& corpus)
{
    if (isFile(root / "wav.scp"))
        return { root };
    std::vector<std::filesystem::path> folders = sortedEntries(root);
    std::erase_if(folders, [](const auto& folder) { return !isFile(folder / "wav.scp"); });
    const auto isWhole = [](const auto& folder) { return isFile(folder / "text"); };
    const auto torn = std::stable_partition(folders.begin(), folders.end(), isWhole);
    if (torn == folders.begin())
        return folders; // the error names its text
    for (auto folder = torn; folder != folders.end(); ++folder)
        corpus.dropped["a part without a file text"].push_back(nameOf(*folder));
    folders.erase(torn, folders.end());
    return folders;
}

} // namespace

Result<Corpus> readKaldi(const KaldiOptions& options, const GoOn& goOn)
{
    Corpus corpus;
    const std::vector<std::filesystem::path> folders = dataFolders(options.folder, corpus);
    if (folders.empty())
        return Error { "neither '" + options.folder.string()
            + "' nor a folder in it has a wav.scp; name a data folder of Kaldi, or the one that "
              "holds them" };
    std::vector<Part> parts;
    size_t numUtterances = 0;
    for (const std::filesystem::path& folder : folders) {
        const Result<size_t> number = parts.emplace_back(folder, options).readTables(corpus);
        if (!number)
            return number.error();
        numUtterances += *number;
    }
    goOn.expect(numUtterances);
    for (const Part& part : parts)
        if (Status read = part.read(corpus, goOn); !read)
            return read.error();
    corpus.noteWhole();
    return corpus;
}

} // namespace earwright::data
