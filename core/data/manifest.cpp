#include "core/data/manifest.h"

#include "core/base/bytes.h"
#include "core/base/not_text.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/manifest_json.h"
#include "core/data/manifest_lines.h"
#include "core/data/repeated_ids.h"
#include "core/data/sound_manifest.h"
#include "core/data/whole_files.h"

#include <algorithm>
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
    size_t start = kAbsent; ///< of a part of its recording, as those below
    size_t stop = kAbsent;
    size_t beginTime = kAbsent;
    size_t endTime = kAbsent;
    size_t channel = kAbsent;
    size_t count = 0;
};

/// The first of the names that the header has.
Result<size_t> column(const CsvRow& header, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        const auto at = std::find(header.fields.begin(), header.fields.end(), name);
        if (at != header.fields.end())
            return static_cast<size_t>(at - header.fields.begin());
    }
    std::vector<std::string> shown(header.fields.begin(),
        header.fields.begin() + std::min<std::ptrdiff_t>(std::ssize(header.fields), 20));
    if (shown.size() < header.fields.size())
        shown.emplace_back("…");
    return Error { atLine(header.line) + "no column '" + join(names, "' or '")
        + "'; there are: " + join(shown, ", ") };
}

enum class Needed { All, Sounds };

Result<Columns> findColumns(
    const CsvRow& header, const settings::ManifestColumns& names, Needed needed)
{
    Columns columns;
    columns.count = header.fields.size();
    const bool needsAll = needed == Needed::All;
    const std::tuple<std::vector<std::string>, size_t*, bool> known[]
        = { { { "ID" }, &columns.id, true }, { { "duration" }, &columns.duration, needsAll },
              { names.sound, &columns.wav, true }, { names.text, &columns.text, needsAll },
              { { "spk_id" }, &columns.speaker, false }, { { "start" }, &columns.start, false },
              { { "stop" }, &columns.stop, false }, { { "begin_time" }, &columns.beginTime, false },
              { { "end_time" }, &columns.endTime, false },
              { { "channel" }, &columns.channel, false } };
    for (const auto& [accepted, place, isNeeded] : known) {
        const Result<size_t> found = column(header, accepted);
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

PlaceTexts placesOf(const CsvRow& row, const Columns& columns)
{
    return { .start = fieldOf(row, columns.start),
        .stop = fieldOf(row, columns.stop),
        .beginSeconds = fieldOf(row, columns.beginTime),
        .endSeconds = fieldOf(row, columns.endTime),
        .channel = fieldOf(row, columns.channel),
        .isByDuration = columns.stop == kAbsent };
}

/// How a manifest is read. With Needed::Sounds, files are read whole.
struct Reading {
    settings::ManifestColumns columns = {};
    Needed needed = Needed::All;
};

Result<SoundPart> partOf(const PlaceTexts& places, double durationSeconds, const Reading& reading)
{
    if (!reading.columns.hasParts)
        return SoundPart();
    if (reading.needed == Needed::All)
        return soundPartOf(places, durationSeconds);
    const std::string why = whyNoWholeFile(places);
    return why.empty() ? Result(SoundPart()) : Error { why };
}

Result<Utterance> toUtterance(const CsvRow& row, const Columns& columns, const Reading& reading)
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
        return Error { atLine(row.line) + "'" + utterance.id + "' has no path in column '"
            + join(reading.columns.sound, "' or '") + "'" };
    if (brokenUtf8At(utterance.text) != std::string::npos)
        return Error { atLine(row.line)
            + "the text is not UTF-8; if it is GBK, 'iconv -f GBK -t UTF-8' makes it so" };
    const std::optional<double> seconds
        = columns.duration == kAbsent ? 0 : parseSeconds(row.fields[columns.duration]);
    if (!seconds)
        return Error { atLine(row.line) + "the duration '" + row.fields[columns.duration] + "' of '"
            + utterance.id + "' is no number of seconds" };
    utterance.durationSeconds = *seconds;
    const Result<SoundPart> part = partOf(placesOf(row, columns), *seconds, reading);
    if (!part)
        return Error { atLine(row.line) + "'" + utterance.id + "' " + part.error().message };
    utterance.part = *part;
    return utterance;
}

using TakeRow = std::function<Status(Utterance utterance)>;

/// Whether they have texts.
Result<bool> eachRowOfCsv(std::streambuf& text, const Reading& reading, const TakeRow& take)
{
    std::optional<Columns> columns;
    const Status read = eachCsvRow(text, [&](CsvRow& row) -> Status {
        if (!columns) {
            const Result<Columns> found = findColumns(row, reading.columns, reading.needed);
            if (!found)
                return found.error();
            columns = *found;
            return Done {};
        }
        Result<Utterance> utterance = toUtterance(row, *columns, reading);
        return utterance ? take(std::move(*utterance)) : utterance.error();
    });
    if (!read)
        return read.error();
    if (!columns)
        return Error { "line 1: the file is empty; expected a header ID,duration,wav,spk_id,wrd" };
    return columns->text != kAbsent;
}

Result<bool> eachRow(const std::filesystem::path& path, const Reading& reading, const TakeRow& take)
{
    const auto file = FileBytes::open(path);
    if (!file)
        return file.error();
    if (const std::string why = whyNoText((*file)->ahead(), path.filename().string()); !why.empty())
        return Error { inQuotes(path.string()) + " " + why };
    Result<bool> hasTexts = true;
    if (isJsonManifest(path)) {
        const auto part = [&reading](const PlaceTexts& places, double seconds) {
            return partOf(places, seconds, reading);
        };
        if (const Status read = eachRowOfJson(**file, { reading.columns, part }, take); !read)
            hasTexts = read.error();
    } else if (isListOfLines(path)) {
        if (const Status read = eachRowOfLines(**file, reading.columns.labels, take); !read)
            hasTexts = read.error();
    } else {
        hasTexts = eachRowOfCsv(**file, reading, take);
    }
    if (const Status whole = (*file)->status(); !whole)
        return whole.error();
    return hasTexts ? hasTexts : Error { "'" + path.string() + "', " + hasTexts.error().message };
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

Status isEachIdNew(const std::filesystem::path& path, std::vector<uint64_t> hashes)
{
    const std::vector<RepeatedId> repeated = repeatedIds(path, std::move(hashes));
    if (repeated.empty())
        return Done {};
    const RepeatedId& first = repeated.front();
    return Error { "'" + path.string() + "', " + atLine(first.line) + "the ID '" + first.id
        + "' is already on line " + std::to_string(first.firstLine) };
}

/// Whether they have texts.
Result<bool> read(const std::filesystem::path& path, const std::string& dataRoot,
    const Reading& reading, const std::function<void(Utterance utterance)>& take)
{
    std::vector<uint64_t> hashes;
    const Result<bool> hasTexts = eachRow(path, reading, [&](Utterance utterance) -> Status {
        bool isFound = false;
        utterance.wav = replaceRoot(utterance.wav, dataRoot, isFound);
        if (isFound && dataRoot.empty())
            return Error { atLine(utterance.line) + "the path of '" + utterance.id
                + "' needs data_root; set data_folder in the recipe" };
        hashes.push_back(idHash(utterance.id));
        take(std::move(utterance));
        return Done {};
    });
    if (!hasTexts)
        return hasTexts;
    const Status isNew = isEachIdNew(path, std::move(hashes));
    return isNew ? hasTexts : isNew.error();
}

} // namespace

bool isManifest(const std::filesystem::path& file)
{
    const std::string ending = toLower(file.extension().string());
    return ending == ".csv" || ending == ".json" || isListOfLines(file);
}

Result<std::vector<Utterance>> readManifest(const std::filesystem::path& path,
    const std::string& dataRoot, const settings::ManifestColumns& columns)
{
    std::vector<Utterance> utterances;
    const Status read = eachUtterance(
        path, dataRoot, [&](Utterance utterance) { utterances.push_back(std::move(utterance)); },
        columns);
    return read ? Result(std::move(utterances)) : read.error();
}

Status eachUtterance(const std::filesystem::path& path, const std::string& dataRoot,
    const std::function<void(Utterance utterance)>& take, const settings::ManifestColumns& columns)
{
    const Result<bool> hasTexts = read(path, dataRoot, { columns, Needed::All }, take);
    return hasTexts ? Status(Done {}) : hasTexts.error();
}

Result<std::vector<Utterance>> readSounds(
    const std::filesystem::path& path, const std::string& dataRoot)
{
    std::vector<Utterance> utterances;
    const Result<bool> hasTexts = read(path, dataRoot, { {}, Needed::Sounds },
        [&](Utterance utterance) { utterances.push_back(std::move(utterance)); });
    if (!hasTexts)
        return hasTexts.error();
    if (utterances.empty())
        return Error { "'" + path.string() + "' lists no utterance" };
    for (Utterance& utterance : utterances)
        utterance.line = *hasTexts ? utterance.line : 0;
    return utterances;
}

} // namespace earwright::data
