#include "core/data/prepare/own_csv.h"

#include "core/base/text.h"
#include "core/data/audio.h"
#include "core/data/csv.h"
#include "core/data/prepare/normalize.h"
#include "core/data/prepare/own_columns.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace kymo::data {
namespace {

/// IDs by the files' names; by their paths where two files have the same name.
void nameByFiles(std::vector<OwnRow>& rows)
{
    const auto nameOf
        = [](const OwnRow& row) { return std::filesystem::path(row.path).filename().string(); };
    std::map<std::string, std::set<std::string>> files;
    for (const OwnRow& row : rows)
        files[nameOf(row)].insert(row.path);
    for (OwnRow& row : rows)
        row.utterance.id = files.at(nameOf(row)).size() == 1 ? nameOf(row) : row.path;
}

/// The first part of a recording begins at 0; the others tell what it is.
void findCutFiles(std::vector<OwnRow>& rows)
{
    std::set<std::string> cut;
    for (const OwnRow& row : rows)
        if (isPartByItself(row.extent))
            cut.insert(row.utterance.wav);
    for (OwnRow& row : rows)
        row.isOfCutFile = cut.contains(row.utterance.wav);
}

/// Opens the file only where the row says an end.
Share saidShare(const OwnRow& row)
{
    if (!endOf(row.extent, 1))
        return Share::Unsaid;
    const Result<AudioInfo> file = readAudioInfo(row.utterance.wav);
    return file ? shareOf(row.extent, *file) : Share::Unsaid;
}

Share shareIn(const OwnRow& row)
{
    if (isPartByItself(row.extent))
        return Share::Part;
    const Share share = saidShare(row);
    const bool isFirstPart = row.isOfCutFile && !row.extent.start.empty() && share != Share::Whole;
    return isFirstPart ? Share::Part : share;
}

/// train, dev or test for the list's words; what stands for none stays.
void nameSplits(std::vector<OwnRow>& rows)
{
    const auto isDev = [](const OwnRow& row) { return groupOf(toLower(row.split)) == "dev"; };
    const bool hasDev = std::any_of(rows.begin(), rows.end(), isDev);
    for (OwnRow& row : rows) {
        const std::string name = toLower(row.split);
        const std::string group = name == "eval" && !hasDev ? "dev" : groupOf(name);
        row.split = group.empty() ? row.split : group;
    }
}

std::string reasonToDrop(const OwnRow& row, Share share, std::set<std::string>& ids)
{
    if (row.hasTooMany)
        return "more fields than columns: a text with a comma needs quotes";
    if (!row.unread.empty())
        return row.unread;
    if (row.utterance.wav.empty())
        return "no path in column wav";
    if (share == Share::Part)
        return "a part of a recording, and only whole ones are read";
    if (share == Share::Unclear)
        return "an end that is behind its recording's, in seconds";
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

void noteTooShort(Corpus& corpus, std::vector<std::string> lines)
{
    constexpr size_t kLinesShown = 5;
    if (lines.empty())
        return;
    const std::string count = std::to_string(lines.size());
    const bool isMore = lines.size() > kLinesShown;
    lines.resize(std::min(lines.size(), kLinesShown));
    corpus.notes.push_back("kept, but shorter than the list says: " + count + " ("
        + join(lines, ", ") + (isMore ? ", …" : "") + ")");
}

Result<Corpus> sortIntoSplits(
    std::vector<OwnRow> rows, const std::filesystem::path& file, const GoOn& goOn)
{
    goOn.expect(rows.size());
    Corpus corpus;
    std::set<std::string> ids;
    std::vector<std::string> tooShort;
    for (OwnRow& row : rows) {
        if (!goOn())
            return stoppedIn(file);
        const std::string line = "line " + std::to_string(row.utterance.line);
        const Share share = shareIn(row);
        const std::string reason = reasonToDrop(row, share, ids);
        if (!reason.empty())
            corpus.dropped[reason].push_back(line);
        else if (corpus.add(row.split, std::move(row.utterance)) && share == Share::More)
            tooShort.push_back(line);
    }
    noteTooShort(corpus, tooShort);
    splitRest(corpus);
    return corpus;
}

bool isJson(std::string_view text, const std::filesystem::path& file)
{
    const std::string_view begin = trim(text).substr(0, 1);
    return toLower(file.extension().string()) == ".json" || begin == "{" || begin == "[";
}

Result<ListRows> readCsv(const std::string& text)
{
    Result<std::vector<CsvRow>> rows = parseCsv(text);
    if (!rows)
        return rows.error();
    return ListRows { *std::move(rows) };
}

Result<ListRows> readRows(const std::filesystem::path& file)
{
    const Result<std::string> text = readText(file);
    if (!text)
        return text.error();
    Result<ListRows> rows = isJson(*text, file) ? rowsOfJson(*text) : readCsv(*text);
    if (!rows)
        return Error { "'" + file.string() + "', " + rows.error().message };
    if (rows->rows.empty())
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
    const Result<ListRows> list = readRows(options.file);
    if (!list)
        return list.error();
    const std::vector<CsvRow>& rows = list->rows;
    const OwnColumns columns(rows.front());
    if (!columns.isComplete())
        return Error { "'" + options.file.string() + "', line " + std::to_string(rows.front().line)
            + ": the header needs the columns wav and text; there are: "
            + columnsOf(rows.front()) };
    std::vector<OwnRow> found;
    for (size_t i = 1; i < rows.size(); ++i) {
        found.push_back(columns.read(rows[i], options));
        found.back().unread = columns.unreadIn(i, list->notTexts);
    }
    if (!columns.hasIds())
        nameByFiles(found);
    findCutFiles(found);
    nameSplits(found);
    return sortIntoSplits(std::move(found), options.file, goOn);
}

Result<PrepareReport> prepareOwnCsv(const OwnCsvOptions& options)
{
    const Result<Corpus> corpus = readOwnCsv(options, [] { return true; });
    return corpus ? writeParts(*corpus, options.outFolder) : corpus.error();
}

} // namespace kymo::data
