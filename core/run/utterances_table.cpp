#include "core/base/number.h"
#include "core/base/sheet_text.h"
#include "core/base/text.h"
#include "core/run/utterances.h"

#include <algorithm>
#include <string_view>

namespace earwright::run {

namespace {

/// What would end a cell or a line, and the sign that says so. Texts as sheetText() has them.
std::string cellOf(std::string_view text)
{
    std::string plain = sheetText(text);
    if (plain.find_first_of("\t\n\r\\") == std::string::npos)
        return plain;
    std::string cell;
    for (const char c : plain)
        cell += c == '\t' ? std::string("\\t")
            : c == '\n'   ? std::string("\\n")
            : c == '\r'   ? std::string("\\r")
            : c == '\\'   ? std::string("\\\\")
                          : std::string(1, c);
    return cell;
}

std::string textOfCell(std::string_view cell)
{
    std::string text;
    for (size_t at = 0; at < cell.size(); ++at) {
        const bool isSign = cell[at] == '\\' && at + 1 < cell.size();
        const char sign = isSign ? cell[++at] : cell[at];
        text += !isSign   ? sign
            : sign == 't' ? '\t'
            : sign == 'n' ? '\n'
            : sign == 'r' ? '\r'
                          : sign;
    }
    return std::string(textOfSheet(text));
}

/// The columns of a row that is written: names for the first line, or cells.
class RowWriter final {
public:
    explicit RowWriter(bool isHeader)
        : m_isHeader(isHeader)
    {
    }

    void operator()(const char* name, const std::string& text)
    {
        put(name, [&] { return cellOf(text); });
    }
    void operator()(const char* name, double number)
    {
        put(name, [&] { return formatNumber(number); });
    }
    void operator()(const char* name, int64_t number)
    {
        put(name, [&] { return std::to_string(number); });
    }
    void nothing(const char* name)
    {
        put(name, [] { return std::string(); });
    }
    std::string takeLine() { return std::move(m_line) + "\n"; }

private:
    template <class Cell>
    void put(const char* name, const Cell& cell)
    {
        m_line += (m_isFirst ? "" : "\t") + (m_isHeader ? std::string(name) : cell());
        m_isFirst = false;
    }

    bool m_isHeader;
    bool m_isFirst = true;
    std::string m_line;
};

void writeEdits(
    RowWriter& row, const char* const names[4], const std::optional<score::ErrorRate>& edits)
{
    const score::ErrorRate some = edits.value_or(score::ErrorRate {});
    const int64_t counts[] = { some.tokens, some.substitutions, some.deletions, some.insertions };
    for (size_t i = 0; i < std::size(counts); ++i)
        edits ? row(names[i], counts[i]) : row.nothing(names[i]);
}

constexpr const char* kWordColumns[] = { "words", "substitutions", "deletions", "insertions" };
constexpr const char* kCharacterColumns[]
    = { "characters", "character_substitutions", "character_deletions", "character_insertions" };

std::string lineOf(const Utterance& utterance, bool isHeader)
{
    RowWriter row(isHeader);
    row("id", utterance.id);
    row("speaker", utterance.speaker);
    utterance.seconds < 0 ? row.nothing("seconds") : row("seconds", utterance.seconds);
    writeEdits(row, kWordColumns, utterance.byWord);
    writeEdits(row, kCharacterColumns, utterance.byCharacter);
    row("reference", utterance.reference);
    row("hypothesis", utterance.hypothesis);
    row("missed_hotwords", join(utterance.missedHotwords, "\n"));
    row("sound", utterance.sound);
    row("begin", utterance.part.begin);
    row("end", utterance.part.end);
    row("lasts", utterance.part.seconds);
    row("unit", std::string(utterance.part.countsSamples ? "samples" : "s"));
    row("channel", int64_t { utterance.part.channel });
    return row.takeLine();
}

/// A line's cells by the names of the columns.
class RowReader final {
public:
    explicit RowReader(std::vector<std::string> names)
        : m_names(std::move(names))
    {
    }

    bool hasColumn(std::string_view name) const
    {
        return std::find(m_names.begin(), m_names.end(), name) != m_names.end();
    }
    /// False where it has not as many cells as there are columns.
    bool take(std::string_view line)
    {
        m_cells.clear();
        m_wrong.clear();
        for (size_t end = 0; end != std::string_view::npos; line.remove_prefix(end + 1)) {
            end = line.find('\t');
            m_cells.push_back(line.substr(0, end));
            if (end == std::string_view::npos)
                break;
        }
        return m_cells.size() == m_names.size();
    }

    void operator()(std::string_view name, std::string& text) { text = textOfCell(cell(name)); }
    /// An empty cell leaves it as it is.
    template <class Number>
    void operator()(std::string_view name, Number& number)
    {
        const std::string_view text = cell(name);
        if (text.empty())
            return;
        if (const auto parsed = parseNumber<Number>(text))
            number = *parsed;
        else if (m_wrong.empty())
            m_wrong = "column '" + std::string(name) + "' has no such number: " + inQuotes(text);
    }
    std::string_view cell(std::string_view name) const
    {
        const auto found = std::find(m_names.begin(), m_names.end(), name);
        return found == m_names.end() ? std::string_view()
                                      : m_cells[static_cast<size_t>(found - m_names.begin())];
    }
    const std::string& wrong() const { return m_wrong; } ///< of this line; "" = nothing

private:
    std::vector<std::string> m_names;
    std::vector<std::string_view> m_cells;
    std::string m_wrong;
};

std::optional<score::ErrorRate> readEdits(RowReader& row, const char* const names[4])
{
    if (row.cell(names[0]).empty())
        return std::nullopt;
    score::ErrorRate edits { .sentences = 1 };
    int64_t* const counts[]
        = { &edits.tokens, &edits.substitutions, &edits.deletions, &edits.insertions };
    for (size_t i = 0; i < std::size(counts); ++i)
        row(names[i], *counts[i]);
    edits.wrongSentences = edits.edits() > 0 ? 1 : 0;
    return edits;
}

Utterance utteranceOf(RowReader& row)
{
    Utterance utterance;
    row("id", utterance.id);
    row("speaker", utterance.speaker);
    row("seconds", utterance.seconds);
    utterance.byWord = readEdits(row, kWordColumns);
    utterance.byCharacter = readEdits(row, kCharacterColumns);
    row("reference", utterance.reference);
    row("hypothesis", utterance.hypothesis);
    std::string missed;
    row("missed_hotwords", missed);
    if (!missed.empty())
        utterance.missedHotwords = split(missed, '\n');
    row("sound", utterance.sound);
    row("begin", utterance.part.begin);
    row("end", utterance.part.end);
    row("lasts", utterance.part.seconds);
    utterance.part.countsSamples = row.cell("unit") == "samples";
    row("channel", utterance.part.channel);
    return utterance;
}

} // namespace

std::string utterancesText(const std::vector<Utterance>& utterances)
{
    std::string text = lineOf({}, true);
    for (const Utterance& utterance : utterances)
        text += lineOf(utterance, false);
    return text;
}

Result<std::vector<Utterance>> utterancesFromText(std::string_view text)
{
    int number = 1;
    size_t end = text.find('\n');
    if (end == std::string_view::npos)
        return Error { "is no table of utterances: its first line has no end" };
    RowReader row(split(text.substr(0, end), '\t'));
    for (const char* name : { "id", "reference", "hypothesis" }) {
        if (!row.hasColumn(name))
            return Error { "is no table of utterances: its first line names no column '"
                + std::string(name) + "'" };
    }
    std::vector<Utterance> utterances;
    while (!(text = text.substr(end + 1)).empty()) {
        ++number;
        end = text.find('\n');
        if (end == std::string_view::npos)
            return Error { atLine(number) + "has no end: the file was cut off" };
        if (!row.take(text.substr(0, end)))
            return Error { atLine(number) + "has not as many cells as the first line" };
        utterances.push_back(utteranceOf(row));
        if (!row.wrong().empty())
            return Error { atLine(number) + row.wrong() };
    }
    return utterances;
}

} // namespace earwright::run
