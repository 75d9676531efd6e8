#include "core/data/manifest.h"

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/manifest_json.h"
#include "core/data/sound_manifest.h"
#include "core/data/whole_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace earwright::data {
namespace {

constexpr size_t kAbsent = static_cast<size_t>(-1);

/// Where each column is in this file.
struct Columns {
    size_t id = kAbsent;
    size_t duration = kAbsent;
    size_t wav = kAbsent;
    size_t speaker = kAbsent;
    size_t text = kAbsent;
    size_t start = kAbsent; ///< of a part of its recording, as `stop`
    size_t stop = kAbsent;
    size_t count = 0;
};

Result<size_t> column(const CsvRow& header, const char* name)
{
    const auto at = std::find(header.fields.begin(), header.fields.end(), name);
    if (at != header.fields.end())
        return static_cast<size_t>(at - header.fields.begin());
    return Error { atLine(header.line) + "no column '" + name
        + "'; there are: " + join(header.fields, ", ") };
}

enum class Needed { All, Sounds };

Result<Columns> findColumns(const CsvRow& header, Needed needed)
{
    Columns columns;
    columns.count = header.fields.size();
    const bool needsAll = needed == Needed::All;
    const std::tuple<const char*, size_t*, bool> known[] = { { "ID", &columns.id, true },
        { "duration", &columns.duration, needsAll }, { "wav", &columns.wav, true },
        { "wrd", &columns.text, needsAll }, { "spk_id", &columns.speaker, false },
        { "start", &columns.start, false }, { "stop", &columns.stop, false } };
    for (const auto& [name, place, isNeeded] : known) {
        const Result<size_t> found = column(header, name);
        if (!found && isNeeded)
            return found.error();
        if (found)
            *place = *found;
    }
    return columns;
}

std::optional<double> parseSeconds(std::string_view text)
{
    const auto seconds = parseNumber<double>(trim(text));
    return seconds && *seconds >= 0 ? seconds : std::nullopt;
}

std::string fieldOf(const CsvRow& row, size_t column)
{
    return column == kAbsent ? "" : row.fields[column];
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
    utterance.text = fieldOf(row, columns.text);
    utterance.speaker = fieldOf(row, columns.speaker);
    if (utterance.id.empty())
        return Error { atLine(row.line) + "the ID is empty" };
    if (utterance.wav.empty())
        return Error { atLine(row.line) + "'" + utterance.id + "' has no path in column 'wav'" };
    if (const std::string part
        = whyNoWholeFile(fieldOf(row, columns.start), fieldOf(row, columns.stop));
        !part.empty())
        return Error { atLine(row.line) + "'" + utterance.id + "' " + part };
    if (brokenUtf8At(utterance.text) != std::string::npos)
        return Error { atLine(row.line)
            + "the text is not UTF-8; if it is GBK, 'iconv -f GBK -t UTF-8' makes it so" };
    const std::optional<double> seconds
        = columns.duration == kAbsent ? 0 : parseSeconds(row.fields[columns.duration]);
    if (!seconds)
        return Error { atLine(row.line) + "the duration '" + row.fields[columns.duration] + "' of '"
            + utterance.id + "' is no number of seconds" };
    utterance.durationSeconds = *seconds;
    return utterance;
}

struct Parsed {
    std::vector<Utterance> utterances;
    bool hasTexts = true;
};

Result<Parsed> parseCsvManifest(std::string_view text, Needed needed)
{
    Result<std::vector<CsvRow>> rows = parseCsv(text);
    if (!rows)
        return rows.error();
    if (rows->empty())
        return Error { "line 1: the file is empty; expected a header ID,duration,wav,spk_id,wrd" };
    Result<Columns> columns = findColumns(rows->front(), needed);
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
    return Parsed { std::move(utterances), columns->text != kAbsent };
}

Result<Parsed> parseManifest(const std::filesystem::path& path, Needed needed)
{
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    const std::string place = "'" + path.string() + "', ";
    if (toLower(path.extension().string()) != ".json") {
        Result<Parsed> parsed = parseCsvManifest(*text, needed);
        return parsed ? std::move(parsed) : Error { place + parsed.error().message };
    }
    Result<std::vector<Utterance>> utterances = parseJsonManifest(*text);
    return utterances ? Result<Parsed>(Parsed { std::move(*utterances) })
                      : Error { place + utterances.error().message };
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

Result<Parsed> read(const std::filesystem::path& path, const std::string& dataRoot, Needed needed)
{
    Result<Parsed> parsed = parseManifest(path, needed);
    if (!parsed)
        return parsed;
    for (Utterance& utterance : parsed->utterances) {
        bool isFound = false;
        utterance.wav = replaceRoot(utterance.wav, dataRoot, isFound);
        if (isFound && dataRoot.empty())
            return Error { "'" + path.string() + "', " + atLine(utterance.line) + "the path of '"
                + utterance.id + "' needs data_root; set data_folder in the recipe" };
    }
    return parsed;
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
    Result<Parsed> parsed = read(path, dataRoot, Needed::All);
    if (!parsed)
        return parsed.error();
    return std::move(parsed->utterances);
}

Result<std::vector<Utterance>> readSounds(
    const std::filesystem::path& path, const std::string& dataRoot)
{
    Result<Parsed> parsed = read(path, dataRoot, Needed::Sounds);
    if (!parsed)
        return parsed.error();
    if (parsed->utterances.empty())
        return Error { "'" + path.string() + "' lists no utterance" };
    for (Utterance& utterance : parsed->utterances)
        utterance.line = parsed->hasTexts ? utterance.line : 0;
    return std::move(parsed->utterances);
}

} // namespace earwright::data
