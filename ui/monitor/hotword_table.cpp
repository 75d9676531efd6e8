#include "ui/monitor/hotword_table.h"

#include "core/base/file.h"
#include "core/base/sheet_text.h"
#include "core/base/text.h"

#include <charconv>
#include <map>

namespace earwright::ui {

namespace {

std::optional<double> percent(int64_t part, int64_t whole)
{
    return whole > 0 ? std::optional(100.0 * static_cast<double>(part) / static_cast<double>(whole))
                     : std::nullopt;
}

std::optional<int64_t> countIn(const std::string& text)
{
    int64_t count = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    return error == std::errc() && stop == end && count >= 0 ? std::optional(count) : std::nullopt;
}

/// The cells of one line by their columns' names.
using Cells = std::map<std::string, std::string>;

/// The phrase comes first, and may hold tabs.
Cells cellsOf(const std::string& line, const std::vector<std::string>& names)
{
    std::vector<std::string> parts = split(line, '\t');
    while (parts.size() > names.size()) {
        parts[0] += '\t' + parts[1];
        parts.erase(parts.begin() + 1);
    }
    Cells cells;
    for (size_t i = 0; i < parts.size(); ++i)
        cells[names[i]] = parts[i];
    return cells;
}

std::optional<PhraseCount> phraseOf(Cells cells)
{
    const auto spoken = countIn(cells["spoken"]);
    const auto heard = countIn(cells["heard"]);
    const auto right = countIn(cells["right"]);
    if (!spoken || !heard || !right)
        return std::nullopt;
    return PhraseCount { .phrase
        = QString::fromStdString(std::string(textOfSheet(cells["hotword"]))),
        .isUnseen = cells["unseen"] == "yes",
        .spoken = *spoken,
        .heard = *heard,
        .right = *right };
}

/// "alignments/test.txt" -> "alignments/test-hotwords.tsv"
std::filesystem::path tableBeside(const std::filesystem::path& alignments)
{
    return alignments.parent_path() / (alignments.stem().string() + "-hotwords.tsv");
}

HotwordTable readTable(const std::filesystem::path& file, const run::Evaluated& evaluated)
{
    HotwordTable table { .split = QString::fromStdString(evaluated.split),
        .epoch = evaluated.epoch,
        .phrases = {},
        .error = {} };
    const Result<std::string> text = readFile(file);
    if (!text) {
        table.error = QString::fromStdString(text.error().message);
        return table;
    }
    Result<std::vector<PhraseCount>> phrases = parseHotwordTable(*text);
    if (phrases)
        table.phrases = std::move(*phrases);
    else
        table.error = QString::fromStdString("'" + file.string() + "': " + phrases.error().message);
    return table;
}

} // namespace

/// As the run's own: what was spoken and never heard has a precision of 0.
HotwordFigures PhraseCount::figures() const
{
    return { .recall = percent(right, spoken),
        .precision = spoken > 0 && heard == 0 ? 0 : percent(right, heard),
        .f1 = spoken > 0 ? percent(2 * right, spoken + heard) : std::nullopt };
}

HotwordFigures HotwordTable::figures(Phrases which) const
{
    PhraseCount sum;
    for (const PhraseCount& phrase : phrases) {
        if (which == Phrases::Unseen && !phrase.isUnseen)
            continue;
        sum.spoken += phrase.spoken;
        sum.heard += phrase.heard;
        sum.right += phrase.right;
    }
    return sum.figures();
}

Result<std::vector<PhraseCount>> parseHotwordTable(const std::string& tsv)
{
    const std::vector<std::string> lines = split(tsv, '\n');
    const std::vector<std::string> names = split(lines.front(), '\t');
    std::vector<PhraseCount> phrases;
    for (size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].empty())
            continue;
        const std::optional<PhraseCount> phrase = phraseOf(cellsOf(lines[i], names));
        if (!phrase)
            return Error { "line " + std::to_string(i + 1)
                + " does not say how often a hotword was spoken, heard and right" };
        phrases.push_back(*phrase);
    }
    return phrases;
}

HotwordReader::HotwordReader(run::RunFolder folder)
    : m_folder(std::move(folder))
{
}

HotwordReader::Version HotwordReader::versionNow(const run::Snapshot& snapshot) const
{
    if (snapshot.evaluations.empty())
        return {};
    Version version { m_folder.path / tableBeside(snapshot.evaluations.back().alignmentsFile) };
    std::error_code missing;
    version.time = std::filesystem::last_write_time(version.file, missing);
    if (!missing)
        version.bytes = std::filesystem::file_size(version.file, missing);
    return missing ? Version {} : version;
}

bool HotwordReader::poll(const run::Snapshot& snapshot)
{
    // Looked at before it is read: what takes its place meanwhile is found by the next look.
    const Version now = versionNow(snapshot);
    if (now == m_version)
        return false;
    m_version = now;
    m_table = now.file.empty()
        ? nullptr
        : std::make_shared<const HotwordTable>(readTable(now.file, snapshot.evaluations.back()));
    return true;
}

} // namespace earwright::ui
