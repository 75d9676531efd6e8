#include "core/data/prepare/own_list.h"

#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/prepare/normalize.h"
#include "core/data/prepare/own_columns.h"
#include "core/data/prepare/parts.h"
#include "core/data/prepare/portion.h"
#include "core/data/prepare/segment.h"
#include "core/data/prepare/text_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace earwright::data {
namespace {

/// IDs by the files' names; by their paths where two files have the same name.
void nameByFiles(std::vector<OwnRow>& rows)
{
    const auto nameOf
        = [](const OwnRow& row) { return std::filesystem::path(row.path).filename().string(); };
    std::map<std::string, std::set<std::string>> files;
    for (const OwnRow& row : rows)
        files[nameOf(row)].insert(row.path);
    for (OwnRow& row : rows) {
        row.isNamedByFile = true;
        if (!row.utterance.wav.empty())
            row.utterance.id = files.at(nameOf(row)).size() == 1 ? nameOf(row) : row.path;
    }
}

/// A list may be all on one line.
void findSharedLines(std::vector<OwnRow>& rows)
{
    std::map<int, int> numRows; // of a line
    for (const OwnRow& row : rows)
        ++numRows[row.utterance.line];
    for (OwnRow& row : rows)
        row.sharesLine = numRows.at(row.utterance.line) > 1;
}

/// In the list: "line 5", "u5, line 1" where others are on that line.
std::string placeOf(const OwnRow& row)
{
    const std::string& id = row.utterance.id;
    return (row.sharesLine && !id.empty() ? id + ", " : "") + "line "
        + std::to_string(row.utterance.line);
}

void findCutFiles(std::vector<OwnRow>& rows)
{
    std::set<std::string> cut;
    for (const OwnRow& row : rows)
        if (isPartByItself(row.extent))
            cut.insert(row.utterance.wav);
    for (OwnRow& row : rows)
        row.isOfCutFile = cut.contains(row.utterance.wav);
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

std::string reasonToDrop(const OwnRow& row, const Portion& portion)
{
    if (row.hasTooMany)
        return "more fields than columns: a text with a comma needs quotes";
    if (!row.unread.empty())
        return row.unread;
    if (row.utterance.wav.empty())
        return "no path in column wav";
    if (!portion.whyNone.empty())
        return portion.whyNone;
    if (row.hasDigits)
        return kReadAsWords;
    if (row.utterance.text.empty())
        return row.isOnlyTags ? kOnlyTags : "no text";
    if (!row.split.empty() && groupOf(row.split).empty())
        return "a split other than train, dev and test";
    return row.utterance.id.empty() ? "no ID" : "";
}

/// Rows on their way into a corpus.
class Sorter final {
public:
    /// `segmentsFolder`: where parts of recordings are written.
    Sorter(std::filesystem::path segmentsFolder, TranscriptTags tags)
        : m_segmentsFolder(std::move(segmentsFolder))
    {
        m_corpus.tags = std::move(tags);
    }

    Status add(OwnRow row)
    {
        const Portion portion = portionOf(row);
        const bool isPart = portion.share == Share::Part;
        if (row.isNamedByFile && isPart)
            row.utterance.id += suffixOf(portion.cut);
        const std::string place = placeOf(row);
        const std::string reason = reasonToDrop(row, portion);
        m_named.insert(row.split);
        if (!reason.empty())
            m_corpus.dropped[reason].push_back(place);
        else if (!portion.isReadable)
            m_corpus.secondsOf(row.utterance.id, row.utterance.wav); // tells why
        else if (!m_ids.insert(row.utterance.id).second)
            m_corpus.dropped[kRepeatedId].push_back(place);
        else if (isPart)
            return addPart(std::move(row), portion.cut);
        else if (m_corpus.add(row.split, std::move(row.utterance)) && portion.share == Share::More)
            m_corpus.tooShort.push_back(place);
        return Done {};
    }

    Corpus take()
    {
        m_corpus.noteWhole();
        splitRest(m_corpus);
        m_named.erase("");
        for (const std::string& split : m_named)
            m_corpus.splits.try_emplace(split); // empty where all its rows were left out
        return std::move(m_corpus);
    }

private:
    Status addPart(OwnRow row, const Cut& cut)
    {
        const std::string recording = std::move(row.utterance.wav);
        const std::filesystem::path file = m_segmentsFolder / fileNameOf(row.utterance.id);
        row.utterance.wav = std::filesystem::absolute(file).string();
        return addSegment(m_corpus, row.split, std::move(row.utterance), recording, cut);
    }

    std::filesystem::path m_segmentsFolder;
    Corpus m_corpus;
    std::set<std::string> m_ids;
    std::set<std::string> m_named; ///< the splits of all rows
};

Result<Corpus> sortIntoSplits(
    std::vector<OwnRow> rows, TranscriptTags tags, const OwnListOptions& options, const GoOn& goOn)
{
    goOn.expect(rows.size());
    Sorter sorter(options.outFolder / "segments", std::move(tags));
    for (OwnRow& row : rows) {
        if (!goOn())
            return stoppedIn(options.file);
        if (Status added = sorter.add(std::move(row)); !added)
            return added.error();
    }
    return sorter.take();
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

/// For people; some lists have other separators.
std::string columnsOf(const CsvRow& header)
{
    std::vector<std::string> names = header.fields;
    std::erase(names, "");
    const bool isOther = names.size() == 1 && names[0].find_first_of(";\t") != std::string::npos;
    return join(names, ", ") + (isOther ? "; commas separate columns" : "");
}

} // namespace

Result<Corpus> readOwnList(const OwnListOptions& options, const GoOn& goOn)
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
    if (rows.size() == 1)
        return Error { "'" + options.file.string()
            + "' lists no utterance: it has a header alone" };
    std::vector<OwnRow> found;
    TranscriptTags tags;
    for (size_t i = 1; i < rows.size(); ++i) {
        found.push_back(columns.read(rows[i], options, tags));
        found.back().unread = columns.unreadIn(i, list->notTexts);
    }
    if (!columns.hasIds())
        nameByFiles(found);
    findSharedLines(found);
    findCutFiles(found);
    nameSplits(found);
    return sortIntoSplits(std::move(found), std::move(tags), options, goOn);
}

} // namespace earwright::data
