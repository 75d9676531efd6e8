#include "core/data/prepare/own_csv.h"

#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/prepare/json_rows.h"
#include "core/data/prepare/normalize.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <utility>

namespace kymo::data {
namespace {

constexpr size_t kManySpeakers = 16;

struct Row {
    Utterance utterance;
    std::string split; ///< "" where the CSV has no such column
    bool hasTooMany = false; ///< fields: a text is cut at its comma
};

std::optional<size_t> findColumn(const CsvRow& header, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        const auto at = std::find(header.fields.begin(), header.fields.end(), name);
        if (at != header.fields.end())
            return static_cast<size_t>(at - header.fields.begin());
    }
    return std::nullopt;
}

/// Reads rows by column names.
class Table final {
public:
    explicit Table(const CsvRow& header)
        : m_wav(findColumn(header, { "wav", "path", "file" }))
        , m_text(findColumn(header, { "text", "wrd", "sentence", "words" }))
        , m_id(findColumn(header, { "id", "ID" }))
        , m_speaker(findColumn(header, { "speaker", "spk_id" }))
        , m_split(findColumn(header, { "split" }))
        , m_columns(header.fields.size())
    {
    }
    bool isComplete() const { return m_wav && m_text; }

    Row read(const CsvRow& row, const OwnCsvOptions& options) const
    {
        Row result;
        Utterance& utterance = result.utterance;
        const std::filesystem::path root
            = options.audioRoot.empty() ? options.file.parent_path() : options.audioRoot;
        const std::filesystem::path wav = withoutPlaceholder(field(row, m_wav));
        utterance.line = row.line;
        utterance.wav = wav.empty() ? "" : std::filesystem::absolute(root / wav).string();
        utterance.text = options.normalizeText ? normalizeTranscript(field(row, m_text))
                                               : std::string(trim(field(row, m_text)));
        utterance.id = m_id ? field(row, m_id) : wav.stem().string();
        utterance.speaker = field(row, m_speaker);
        result.split = field(row, m_split);
        result.hasTooMany = row.fields.size() > m_columns;
        return result;
    }

private:
    /// "$data_root/a.wav" as "a.wav".
    static std::string withoutPlaceholder(std::string path)
    {
        for (const std::string placeholder : { "$data_root/", "{data_root}/" })
            if (path.starts_with(placeholder))
                path.erase(0, placeholder.size());
        return path;
    }
    static std::string field(const CsvRow& row, std::optional<size_t> column)
    {
        return column && *column < row.fields.size() ? row.fields[*column] : "";
    }

    std::optional<size_t> m_wav;
    std::optional<size_t> m_text;
    std::optional<size_t> m_id;
    std::optional<size_t> m_speaker;
    std::optional<size_t> m_split;
    size_t m_columns;
};

std::string reasonToDrop(const Row& row, std::set<std::string>& ids)
{
    if (row.hasTooMany)
        return "more fields than columns: a text with a comma needs quotes";
    if (row.utterance.wav.empty())
        return "no path in column wav";
    if (row.utterance.text.empty())
        return "no text";
    const bool isKnown
        = row.split.empty() || row.split == "train" || row.split == "dev" || row.split == "test";
    if (!isKnown)
        return "a split other than train, dev and test";
    if (row.utterance.id.empty())
        return "no ID";
    return ids.insert(row.utterance.id).second ? "" : kRepeatedId;
}

Result<Corpus> sortIntoSplits(
    std::vector<Row> rows, const std::filesystem::path& file, const GoOn& goOn)
{
    goOn.expect(rows.size());
    std::set<std::string> speakers;
    for (const Row& row : rows)
        speakers.insert(row.utterance.speaker);
    Corpus corpus;
    std::set<std::string> ids;
    for (Row& row : rows) {
        if (!goOn())
            return stoppedIn(file);
        const std::string place = "line " + std::to_string(row.utterance.line);
        if (const std::string reason = reasonToDrop(row, ids); !reason.empty()) {
            corpus.dropped[reason].push_back(place);
            continue;
        }
        const std::string& key
            = speakers.size() >= kManySpeakers ? row.utterance.speaker : row.utterance.id;
        const std::string split = row.split.empty() ? splitOf(key) : row.split;
        corpus.add(split, std::move(row.utterance)); // and with it what `key` is
    }
    return corpus;
}

Result<std::vector<CsvRow>> readRows(const std::filesystem::path& file)
{
    const Result<std::string> text = readText(file);
    if (!text)
        return text.error();
    Result<std::vector<CsvRow>> rows
        = toLower(file.extension().string()) == ".json" ? rowsOfJson(*text) : parseCsv(*text);
    if (!rows)
        return Error { "'" + file.string() + "', " + rows.error().message };
    if (rows->empty())
        return Error { "'" + file.string()
            + "' is empty; expected a header with the columns wav and text" };
    return rows;
}

} // namespace

Result<Corpus> readOwnCsv(const OwnCsvOptions& options, const GoOn& goOn)
{
    const Result<std::vector<CsvRow>> rows = readRows(options.file);
    if (!rows)
        return rows.error();
    const Table table(rows->front());
    if (!table.isComplete())
        return Error { "'" + options.file.string() + "', line " + std::to_string(rows->front().line)
            + ": the header needs the columns wav and text; there are: "
            + join(rows->front().fields, ", ") };
    std::vector<Row> found;
    for (size_t i = 1; i < rows->size(); ++i)
        found.push_back(table.read((*rows)[i], options));
    return sortIntoSplits(std::move(found), options.file, goOn);
}

Result<PrepareReport> prepareOwnCsv(const OwnCsvOptions& options)
{
    const Result<Corpus> corpus = readOwnCsv(options, [] { return true; });
    return corpus ? writeManifests(*corpus, options.outFolder) : corpus.error();
}

} // namespace kymo::data
