#include "core/data/prepare/kaldi.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/prepare/cut.h"
#include "core/data/prepare/folder.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace kymo::data {
namespace {

/// A table's rows by their ID.
using Table = std::map<std::string, std::string>;

Result<Table> readTable(const std::filesystem::path& file)
{
    // wav.scp may have a path in whatever bytes its file system has.
    const Result<std::string> text = file.filename() == "wav.scp" ? readFile(file) : readText(file);
    if (!text)
        return text.error();
    Table table;
    const std::vector<std::string> lines = split(withoutByteOrderMark(*text), '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
        auto [id, rest] = idAndRest(lines[i]);
        if (!id.empty() && !table.emplace(id, std::move(rest)).second)
            return Error { "'" + file.string() + "', line " + std::to_string(i + 1) + ": the ID '"
                + id + "' is there twice" };
    }
    return table;
}

/// Empty where the folder has no such table.
Result<Table> readOptional(const std::filesystem::path& file)
{
    return isFile(file) ? readTable(file) : Table();
}

/// "" for a plain path.
std::string whyNoPath(const std::string& path)
{
    if (path.ends_with('|') || path.starts_with('|'))
        return "'" + path + "' is a command, and none is executed: write its output to a file";
    const size_t colon = path.rfind(':');
    if (colon != std::string::npos && path.find(".ark") < colon)
        return "'" + path + "' is an entry of an archive: unpack it to a file";
    return path.empty() ? "there is no path" : "";
}

struct Segment {
    std::string recording;
    Cut cut;
};

/// "REC 0.00 1.52", with a channel behind it perhaps, from 0.
std::optional<Segment> parseSegment(const std::string& rest)
{
    std::string blanks = rest;
    std::replace(blanks.begin(), blanks.end(), '\t', ' ');
    std::vector<std::string> fields = split(blanks, ' ');
    std::erase(fields, "");
    if (fields.size() < 3)
        return std::nullopt;
    const std::optional<double> begin = parseNumber<double>(fields[1]);
    const std::optional<double> end = parseNumber<double>(fields[2]);
    if (!begin || !end || *begin < 0 || (*end >= 0 && *end <= *begin))
        return std::nullopt;
    const auto channel = fields.size() > 3 ? parseNumber<int>(fields[3]) : std::nullopt;
    if (fields.size() > 3 && (!channel || *channel < 0))
        return std::nullopt;
    return Segment { fields[0], { *begin, *end, channel } };
}

/// An ID as the name of a file: different ones of different IDs, none that leads elsewhere.
std::string fileNameOf(std::string_view id)
{
    std::string name;
    for (const char c : id)
        name += c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c);
    return name + ".wav";
}

/// One data folder.
class Part final {
public:
    Part(std::string name, std::filesystem::path folder, const KaldiOptions& options)
        : m_name(std::move(name))
        , m_folder(std::move(folder))
        , m_options(options)
    {
    }

    /// How many utterances have a transcript.
    Result<size_t> readTables()
    {
        const std::filesystem::path scp = m_folder / "wav.scp";
        for (const auto& [table, read] :
            { std::pair { &m_wavs, readTable(scp) }, { &m_text, readTable(m_folder / "text") },
                { &m_speakers, readOptional(m_folder / "utt2spk") },
                { &m_segments, readOptional(m_folder / "segments") } }) {
            if (!read)
                return read.error();
            *table = *read;
        }
        for (const auto& [id, path] : m_wavs)
            if (const std::string why = whyNoPath(path); !why.empty())
                return Error { "'" + scp.string() + "', '" + id + "': " + why };
        return m_text.size();
    }

    Status read(Corpus& corpus, const GoOn& goOn) const
    {
        for (const auto& [id, text] : m_text) {
            if (!goOn())
                return stoppedIn(m_folder);
            if (text.empty())
                corpus.dropped["no text"].push_back(id);
            else if (Status added = add(id, text, corpus); !added)
                return added;
        }
        for (const auto& [id, rest] : m_segments.empty() ? m_wavs : m_segments)
            if (!m_text.contains(id))
                corpus.dropped["no transcript"].push_back(id);
        return Done {};
    }

private:
    Status add(const std::string& id, const std::string& text, Corpus& corpus) const
    {
        Utterance utterance;
        utterance.id = id;
        utterance.text = text;
        const auto speaker = m_speakers.find(id);
        utterance.speaker = speaker == m_speakers.end() ? "" : speaker->second;
        if (!m_segments.empty())
            return addSegment(std::move(utterance), corpus);
        const auto wav = m_wavs.find(id);
        if (wav == m_wavs.end()) {
            corpus.dropped["not in wav.scp"].push_back(id);
            return Done {};
        }
        utterance.wav = fileOf(wav->second).string();
        corpus.add(m_name, std::move(utterance));
        return Done {};
    }

    Status addSegment(Utterance utterance, Corpus& corpus) const
    {
        const auto row = m_segments.find(utterance.id);
        const auto segment
            = row == m_segments.end() ? std::optional<Segment>() : parseSegment(row->second);
        const auto wav = segment ? m_wavs.find(segment->recording) : m_wavs.end();
        if (wav == m_wavs.end()) {
            corpus.dropped["no segment of a recording in wav.scp"].push_back(utterance.id);
            return Done {};
        }
        const std::filesystem::path file
            = m_options.segmentsFolder / m_name / fileNameOf(utterance.id);
        const Result<bool> cut = cutAudio(fileOf(wav->second), segment->cut, file);
        if (!cut)
            return cut.error();
        if (!*cut) {
            corpus.dropped["a segment that its recording has not"].push_back(utterance.id);
            return Done {};
        }
        utterance.wav = std::filesystem::absolute(file).string();
        corpus.add(m_name, std::move(utterance));
        return Done {};
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

} // namespace

Result<Corpus> readKaldi(const KaldiOptions& options, const GoOn& goOn)
{
    std::vector<std::filesystem::path> folders;
    if (isFile(options.folder / "wav.scp"))
        folders = { options.folder };
    else
        for (const std::filesystem::path& entry : sortedEntries(options.folder))
            if (isFile(entry / "wav.scp"))
                folders.push_back(entry);
    if (folders.empty())
        return Error { "neither '" + options.folder.string()
            + "' nor a folder in it has a wav.scp; name a data folder of Kaldi, or the one that "
              "holds them" };
    std::vector<Part> parts;
    size_t numUtterances = 0;
    for (const std::filesystem::path& folder : folders) {
        const std::filesystem::path whole = std::filesystem::absolute(folder / ".");
        const std::string name = whole.lexically_normal().parent_path().filename().string();
        const Result<size_t> number = parts.emplace_back(name, folder, options).readTables();
        if (!number)
            return number.error();
        numUtterances += *number;
    }
    goOn.expect(numUtterances);
    Corpus corpus;
    for (const Part& part : parts)
        if (Status read = part.read(corpus, goOn); !read)
            return read.error();
    return corpus;
}

} // namespace kymo::data
