#include "core/data/label_table.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/prepare/text_file.h"
#include "core/data/python_literal.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace earwright::data {
namespace {

constexpr std::string_view kSeparator = " => ";
constexpr std::string_view kRule = "================";

struct EncoderLine {
    std::string label;
    std::string_view value;
};

Result<EncoderLine> parseLine(std::string_view line)
{
    const std::optional<PythonString> label = parsePythonString(line);
    if (!label)
        return Error { "expected a label in quotes, as in 'a' => 1" };
    const std::string_view rest = line.substr(label->length);
    if (rest.substr(0, kSeparator.size()) != kSeparator)
        return Error { "expected ' => ' after the label" };
    return EncoderLine { label->value, trim(rest.substr(kSeparator.size())) };
}

std::optional<int64_t> parseIndex(std::string_view text)
{
    const auto index = parseNumber<int64_t>(text);
    return index && *index >= 0 ? index : std::nullopt;
}

Status addLabelLine(std::string_view line, LabelTable& table)
{
    Result<EncoderLine> parsed = parseLine(line);
    if (!parsed)
        return parsed.error();
    const std::optional<int64_t> index = parseIndex(parsed->value);
    const std::string value(parsed->value);
    if (!index || *index > static_cast<int64_t>(1) << 24)
        return Error { "'" + value + "' is no index" };
    if (!table.indexOf.emplace(parsed->label, *index).second)
        return Error { "the label '" + parsed->label + "' is there twice" };
    if (std::find(table.fileOrder.begin(), table.fileOrder.end(), *index) != table.fileOrder.end())
        return Error { "the index " + std::to_string(*index) + " is there twice" };
    table.fileOrder.push_back(*index);
    return Done {};
}

Status addExtraLine(std::string_view line, LabelTable& table)
{
    Result<EncoderLine> parsed = parseLine(line);
    if (!parsed)
        return parsed.error();
    table.extras.emplace_back(parsed->label, parsed->value);
    return Done {};
}

void readSpecialLabel(const std::string& key, const std::string& value, LabelTable& table)
{
    const auto label = table.indexOf.find(value);
    if (label == table.indexOf.end())
        return;
    if (key == "unk_label")
        table.unknownIndex = label->second;
    if (key == "bos_label")
        table.bosIndex = label->second;
    if (key == "eos_label")
        table.eosIndex = label->second;
}

/// Lists the labels by index, and finds the special ones.
Status finishTable(LabelTable& table)
{
    table.labels.resize(table.indexOf.size());
    for (const auto& [label, index] : table.indexOf) {
        if (index >= table.size())
            return Error { "the indices are not 0 … " + std::to_string(table.size() - 1) + ": '"
                + label + "' has " + std::to_string(index) };
        table.labels[static_cast<size_t>(index)] = label;
    }
    std::string blank = LabelTable::kBlank;
    for (const auto& [key, literal] : table.extras) {
        const std::optional<PythonString> value = parsePythonString(literal);
        if (key == "blank_label" && value)
            blank = value->value;
        else if (value)
            readSpecialLabel(key, value->value, table);
    }
    const auto at = table.indexOf.find(blank);
    if (at == table.indexOf.end())
        return Error { "there is no blank label '" + blank + "'; CTC needs one" };
    table.blankIndex = at->second;
    return Done {};
}

} // namespace

/// Upstream inserts the special labels first, and its file begins with them.
void LabelTable::insertSpecial(const settings::SpecialLabels& special)
{
    std::map<int64_t, std::string> wanted { { special.blank, kBlank } };
    if (special.bos)
        wanted.emplace(*special.bos, special.bosLabel);
    if (special.eos)
        wanted.emplace(*special.eos, special.eosLabel);
    std::map<int64_t, int64_t> given;
    for (const auto& [index, label] : wanted) {
        given[index] = std::clamp<int64_t>(index, 0, size());
        labels.insert(labels.begin() + given[index], label);
    }
    blankIndex = given[special.blank];
    bosIndex = special.bos ? given[*special.bos] : -1;
    eosIndex = special.eos ? given[*special.eos] : -1;
    const auto note = [this](const char* extra, int64_t index) {
        if (index < 0)
            return;
        extras.emplace_back(extra, pythonRepr(labels[static_cast<size_t>(index)]));
        if (std::find(fileOrder.begin(), fileOrder.end(), index) == fileOrder.end())
            fileOrder.push_back(index);
    };
    fileOrder.push_back(blankIndex);
    extras.emplace_back("starting_index", "0");
    note("bos_label", bosIndex);
    note("eos_label", eosIndex);
    note("blank_label", blankIndex);
}

Result<LabelTable> parseLabels(std::string_view text)
{
    LabelTable table;
    bool isExtra = false;
    const std::vector<std::string> lines = split(text, '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
        if (trim(lines[i]).empty())
            continue;
        if (trim(lines[i]) == kRule) {
            isExtra = true;
            continue;
        }
        const Status status
            = isExtra ? addExtraLine(lines[i], table) : addLabelLine(lines[i], table);
        if (!status)
            return Error { atLine(static_cast<int>(i + 1)) + status.error().message };
    }
    if (Status status = finishTable(table); !status)
        return status.error();
    return table;
}

Result<LabelTable> labelsOfList(const Vocabulary& list, const std::string& segDict)
{
    LabelTable table;
    for (const std::string& token : list.labels) {
        table.fileOrder.push_back(std::ssize(table.fileOrder));
        table.indexOf.emplace(token, table.fileOrder.back());
    }
    const auto note = [&](const char* extra, const std::optional<int64_t>& index) {
        if (index)
            table.extras.emplace_back(extra, pythonRepr(list.labels[static_cast<size_t>(*index)]));
    };
    note("unk_label", list.unknown);
    table.extras.emplace_back("starting_index", "0");
    note("bos_label", list.bos);
    note("eos_label", list.eos);
    note("blank_label", list.blank);
    if (!segDict.empty())
        table.extras.emplace_back(LabelTable::kSegDict, pythonRepr(segDict));
    if (const Status done = finishTable(table); !done)
        return done.error();
    return table;
}

std::string textOfLabels(const LabelTable& table)
{
    std::string text;
    for (const int64_t index : table.fileOrder)
        text += pythonRepr(table.labels[static_cast<size_t>(index)]) + std::string(kSeparator)
            + std::to_string(index) + "\n";
    text += std::string(kRule) + "\n";
    for (const auto& [key, literal] : table.extras)
        text += pythonRepr(key) + std::string(kSeparator) + literal + "\n";
    return text;
}

} // namespace earwright::data
