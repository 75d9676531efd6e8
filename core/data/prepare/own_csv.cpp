#include "core/data/prepare/own_csv.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/prepare/json_rows.h"
#include "core/data/prepare/normalize.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace kymo::data {
namespace {

struct Row {
    Utterance utterance;
    std::string path; ///< of the audio in the list's folder, without its ending
    std::string split; ///< in the list's words; "" where it says none
    bool hasDigits = false; ///< which normalising takes out
    bool hasTooMany = false; ///< fields: a text is cut at its comma
    bool isPart = false; ///< of a longer recording
    bool mayBePart = false; ///< the first, at offset 0
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
class Columns final {
public:
    explicit Columns(const CsvRow& header)
        : m_wav(findColumn(
            header, { "wav", "path", "file", "file_name", "audio", "audio_filepath", "source" }))
        , m_text(findColumn(header,
              { "text", "wrd", "sentence", "words", "txt", "transcript", "transcription",
                  "target" }))
        , m_id(findColumn(header, { "id", "ID", "key" }))
        , m_speaker(findColumn(header, { "speaker", "spk_id" }))
        , m_split(findColumn(header, { "split" }))
        , m_offset(findColumn(header, { "offset", "start" }))
        , m_end(findColumn(header, { "end", "stop" }))
        , m_numColumns(header.fields.size())
    {
    }
    bool isComplete() const { return m_wav && m_text; }
    bool hasIds() const { return m_id.has_value(); }

    Row read(const CsvRow& row, const OwnCsvOptions& options) const
    {
        Row result;
        Utterance& utterance = result.utterance;
        const std::filesystem::path root
            = options.audioRoot.empty() ? options.file.parent_path() : options.audioRoot;
        const std::filesystem::path wav = withoutPlaceholder(field(row, m_wav));
        const std::string text = field(row, m_text);
        utterance.line = row.line;
        utterance.wav = wav.empty() ? "" : std::filesystem::absolute(root / wav).string();
        utterance.text = options.normalizeText ? normalizeTranscript(text, options.language)
                                               : std::string(trim(text));
        utterance.id = field(row, m_id);
        utterance.speaker = field(row, m_speaker);
        result.path = pathIn(root, wav);
        result.split = field(row, m_split);
        result.hasDigits = options.normalizeText && hasDigit(text);
        result.hasTooMany = row.fields.size() > m_numColumns;
        result.mayBePart = !field(row, m_offset).empty();
        result.isPart = parseNumber<double>(field(row, m_offset)).value_or(0) != 0
            || !field(row, m_end).empty();
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
    /// Without its ending; of what lies elsewhere the whole one.
    static std::string pathIn(const std::filesystem::path& root, const std::filesystem::path& wav)
    {
        const std::filesystem::path folder = std::filesystem::absolute(root / ".");
        const std::filesystem::path file = (folder / wav).lexically_normal();
        std::filesystem::path path = file.lexically_relative(folder.lexically_normal());
        if (path.empty() || *path.begin() == "..")
            path = file.relative_path();
        return path.replace_extension().string();
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
    std::optional<size_t> m_offset;
    std::optional<size_t> m_end;
    size_t m_numColumns;
};

/// IDs by the files' names; by their paths where two files have the same name.
void nameByFiles(std::vector<Row>& rows)
{
    const auto nameOf
        = [](const Row& row) { return std::filesystem::path(row.path).filename().string(); };
    std::map<std::string, std::set<std::string>> files;
    for (const Row& row : rows)
        files[nameOf(row)].insert(row.path);
    for (Row& row : rows)
        row.utterance.id = files.at(nameOf(row)).size() == 1 ? nameOf(row) : row.path;
}

/// The first part of a recording has no offset; the others tell what it is.
void findFirstParts(std::vector<Row>& rows)
{
    std::set<std::string> cut;
    for (const Row& row : rows)
        if (row.isPart)
            cut.insert(row.utterance.wav);
    for (Row& row : rows)
        row.isPart |= row.mayBePart && cut.contains(row.utterance.wav);
}

/// train, dev or test for the list's words; what stands for none stays.
void nameSplits(std::vector<Row>& rows)
{
    const auto isDev = [](const Row& row) { return groupOf(toLower(row.split)) == "dev"; };
    const bool hasDev = std::any_of(rows.begin(), rows.end(), isDev);
    for (Row& row : rows) {
        const std::string name = toLower(row.split);
        const std::string group = name == "eval" && !hasDev ? "dev" : groupOf(name);
        row.split = group.empty() ? row.split : group;
    }
}

std::string reasonToDrop(const Row& row, std::set<std::string>& ids)
{
    if (row.hasTooMany)
        return "more fields than columns: a text with a comma needs quotes";
    if (row.utterance.wav.empty())
        return "no path in column wav";
    if (row.isPart)
        return "a part of a recording, and only whole ones are read";
    if (row.hasDigits)
        return kReadAsWords;
    if (row.utterance.text.empty())
        return "no text";
    if (!row.split.empty() && groupOf(row.split).empty())
        return "a split other than train, dev and test";
    if (row.utterance.id.empty())
        return "no ID";
    return ids.insert(row.utterance.id).second ? "" : kRepeatedId;
}

Result<Corpus> sortIntoSplits(
    std::vector<Row> rows, const std::filesystem::path& file, const GoOn& goOn)
{
    goOn.expect(rows.size());
    Corpus corpus;
    std::set<std::string> ids;
    for (Row& row : rows) {
        if (!goOn())
            return stoppedIn(file);
        const std::string reason = reasonToDrop(row, ids);
        if (reason.empty())
            corpus.add(row.split, std::move(row.utterance));
        else
            corpus.dropped[reason].push_back("line " + std::to_string(row.utterance.line));
    }
    splitRest(corpus);
    return corpus;
}

bool isJson(std::string_view text, const std::filesystem::path& file)
{
    const std::string_view begin = trim(text).substr(0, 1);
    return toLower(file.extension().string()) == ".json" || begin == "{" || begin == "[";
}

Result<std::vector<CsvRow>> readRows(const std::filesystem::path& file)
{
    const Result<std::string> text = readText(file);
    if (!text)
        return text.error();
    Result<std::vector<CsvRow>> rows = isJson(*text, file) ? rowsOfJson(*text) : parseCsv(*text);
    if (!rows)
        return Error { "'" + file.string() + "', " + rows.error().message };
    if (rows->empty())
        return Error { "'" + file.string()
            + "' is empty; expected a header with the columns wav and text" };
    return rows;
}

std::string columnsOf(const CsvRow& header)
{
    std::vector<std::string> names = header.fields;
    std::erase(names, "");
    return join(names, ", ");
}

} // namespace

Result<Corpus> readOwnCsv(const OwnCsvOptions& options, const GoOn& goOn)
{
    const Result<std::vector<CsvRow>> rows = readRows(options.file);
    if (!rows)
        return rows.error();
    const Columns columns(rows->front());
    if (!columns.isComplete())
        return Error { "'" + options.file.string() + "', line " + std::to_string(rows->front().line)
            + ": the header needs the columns wav and text; there are: "
            + columnsOf(rows->front()) };
    std::vector<Row> found;
    for (size_t i = 1; i < rows->size(); ++i)
        found.push_back(columns.read((*rows)[i], options));
    if (!columns.hasIds())
        nameByFiles(found);
    findFirstParts(found);
    nameSplits(found);
    return sortIntoSplits(std::move(found), options.file, goOn);
}

Result<PrepareReport> prepareOwnCsv(const OwnCsvOptions& options)
{
    const Result<Corpus> corpus = readOwnCsv(options, [] { return true; });
    return corpus ? writeParts(*corpus, options.outFolder) : corpus.error();
}

} // namespace kymo::data
