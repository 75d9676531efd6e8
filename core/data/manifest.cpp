#include "core/data/manifest.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/manifest_json.h"
#include "core/data/whole_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace kymo::data {
namespace {

constexpr size_t kAbsent = static_cast<size_t>(-1);

/// Where each column is in this file.
struct Columns {
    size_t id = kAbsent;
    size_t duration = kAbsent;
    size_t wav = kAbsent;
    size_t speaker = kAbsent;
    size_t text = kAbsent;
    size_t start = kAbsent; ///< of a part of its recording
    size_t count = 0;
};

std::string atLine(int line)
{
    return "line " + std::to_string(line) + ": ";
}

Result<size_t> column(const CsvRow& header, const char* name)
{
    const auto at = std::find(header.fields.begin(), header.fields.end(), name);
    if (at != header.fields.end())
        return static_cast<size_t>(at - header.fields.begin());
    return Error { atLine(header.line) + "no column '" + name
        + "'; there are: " + join(header.fields, ", ") };
}

Result<Columns> findColumns(const CsvRow& header)
{
    Columns columns;
    columns.count = header.fields.size();
    const std::pair<const char*, size_t*> needed[] = { { "ID", &columns.id },
        { "duration", &columns.duration }, { "wav", &columns.wav }, { "wrd", &columns.text } };
    for (const auto& [name, place] : needed) {
        Result<size_t> found = column(header, name);
        if (!found)
            return found.error();
        *place = *found;
    }
    if (Result<size_t> speaker = column(header, "spk_id"))
        columns.speaker = *speaker;
    if (Result<size_t> start = column(header, "start"))
        columns.start = *start;
    return columns;
}

std::optional<double> parseSeconds(std::string_view text)
{
    const auto seconds = parseNumber<double>(trim(text));
    return seconds && *seconds >= 0 ? seconds : std::nullopt;
}

Result<Utterance> toUtterance(const CsvRow& row, const Columns& columns)
{
    if (row.fields.size() != columns.count)
        return Error { atLine(row.line) + std::to_string(row.fields.size())
            + " fields where the header has " + std::to_string(columns.count)
            + "; a text with a comma needs double quotes" };
    Utterance utterance;
    utterance.line = row.line;
    utterance.id = row.fields[columns.id];
    utterance.wav = row.fields[columns.wav];
    utterance.text = row.fields[columns.text];
    utterance.speaker = columns.speaker == kAbsent ? "" : row.fields[columns.speaker];
    if (utterance.id.empty())
        return Error { atLine(row.line) + "the ID is empty" };
    if (utterance.wav.empty())
        return Error { atLine(row.line) + "'" + utterance.id + "' has no path in column 'wav'" };
    const std::string part
        = columns.start == kAbsent ? "" : whyNoWholeFile(row.fields[columns.start]);
    if (!part.empty())
        return Error { atLine(row.line) + "'" + utterance.id + "' " + part };
    if (brokenUtf8At(utterance.text) != std::string::npos)
        return Error { atLine(row.line)
            + "the text is not UTF-8; if it is GBK, 'iconv -f GBK -t UTF-8' makes it so" };
    const std::optional<double> seconds = parseSeconds(row.fields[columns.duration]);
    if (!seconds)
        return Error { atLine(row.line) + "the duration '" + row.fields[columns.duration] + "' of '"
            + utterance.id + "' is no number of seconds" };
    utterance.durationSeconds = *seconds;
    return utterance;
}

Result<std::vector<Utterance>> parseCsvManifest(std::string_view text)
{
    Result<std::vector<CsvRow>> rows = parseCsv(text);
    if (!rows)
        return rows.error();
    if (rows->empty())
        return Error { "line 1: the file is empty; expected a header ID,duration,wav,spk_id,wrd" };
    Result<Columns> columns = findColumns(rows->front());
    if (!columns)
        return columns.error();
    std::vector<Utterance> utterances;
    std::map<std::string, int> lineOf;
    for (size_t i = 1; i < rows->size(); ++i) {
        Result<Utterance> utterance = toUtterance((*rows)[i], *columns);
        if (!utterance)
            return utterance.error();
        const auto [at, isNew] = lineOf.emplace(utterance->id, utterance->line);
        if (!isNew)
            return Error { atLine(utterance->line) + "the ID '" + utterance->id
                + "' is already on line " + std::to_string(at->second) };
        utterances.push_back(std::move(*utterance));
    }
    return utterances;
}

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

/// `$data_root` (not as the beginning of a longer name) and `{data_root}`.
std::string replaceRoot(std::string path, const std::string& root, bool& isFound)
{
    for (const std::string name : { "$data_root", "{data_root}" }) {
        for (size_t at = path.find(name); at != std::string::npos; at = path.find(name, at)) {
            const size_t end = at + name.size();
            const bool isLonger = name[0] == '$' && end < path.size() && isNameCharacter(path[end]);
            isFound = isFound || !isLonger;
            if (!isLonger)
                path.replace(at, name.size(), root);
            at += isLonger ? name.size() : root.size();
        }
    }
    return path;
}

} // namespace

bool isManifest(const std::filesystem::path& file)
{
    const std::string ending = toLower(file.extension().string());
    return ending == ".csv" || ending == ".json";
}

Result<std::vector<Utterance>> readManifest(
    const std::filesystem::path& path, const std::string& dataRoot)
{
    Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    const bool isJson = toLower(path.extension().string()) == ".json";
    Result<std::vector<Utterance>> utterances
        = isJson ? parseJsonManifest(*text) : parseCsvManifest(*text);
    const std::string name = path.string();
    if (!utterances)
        return Error { "'" + name + "', " + utterances.error().message };
    for (Utterance& utterance : *utterances) {
        bool isFound = false;
        utterance.wav = replaceRoot(utterance.wav, dataRoot, isFound);
        if (isFound && dataRoot.empty())
            return Error { "'" + name + "', " + atLine(utterance.line) + "the path of '"
                + utterance.id + "' needs data_root; set data_folder in the recipe" };
    }
    return utterances;
}

} // namespace kymo::data
