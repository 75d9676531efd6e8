#include "app/cli/utterance_tables.h"

#include "app/cli/table_formats.h"
#include "core/score/confusions.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

using TableCells = std::vector<std::vector<std::string>>;
using TableJson = nlohmann::ordered_json;

std::string jsonText(const TableJson& json)
{
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

TableJson edgeJson(double value)
{
    return value < 0 || std::isinf(value) ? TableJson() : TableJson(value);
}

TableJson groupJson(const score::ErrorGroup& group, const std::string& by, const std::string& rate)
{
    TableJson json = by == "speaker"
        ? TableJson { { "speaker", group.speaker } }
        : TableJson { { "from", edgeJson(group.from) }, { "below", edgeJson(group.below) } };
    const score::ErrorRate& errors = group.errors;
    json.update(TableJson { { "utterances", errors.sentences }, { "seconds", group.seconds },
        { rate, errors.percent() }, { "tokens", errors.tokens },
        { "substitutions", errors.substitutions }, { "deletions", errors.deletions },
        { "insertions", errors.insertions } });
    return json;
}

} // namespace

const std::vector<std::string>& groupNames()
{
    static const std::vector<std::string> kNames { "speaker", "seconds", "rate" };
    return kNames;
}

const std::vector<std::string>& utteranceTableFormats()
{
    static const std::vector<std::string> kFormats { "text", "csv", "json" };
    return kFormats;
}

std::string confusionsTable(const std::vector<run::Utterance>& rows, const std::string& rate,
    score::WordSplit split, const std::string& format)
{
    score::ConfusionCounter counter(rate, split);
    for (const run::Utterance& row : rows)
        if (run::countedEdits(row, rate).edits() > 0)
            counter.add(row.reference, row.hypothesis);
    TableJson json = TableJson::array();
    TableCells cells { { "count", "utterances", "reference", "hypothesis" } };
    for (const score::Confusion& one : counter.confusions()) {
        if (format == "json")
            json.push_back({ { "reference", one.reference }, { "hypothesis", one.hypothesis },
                { "count", one.count }, { "utterances", one.utterances } });
        else
            cells.push_back({ std::to_string(one.count), std::to_string(one.utterances),
                one.reference, one.hypothesis });
    }
    return format == "json" ? jsonText(json) : tableAs(format, cells);
}

std::string groupsTable(const std::vector<run::Utterance>& rows, const std::string& rate,
    const std::string& by, const std::string& format)
{
    score::ErrorGroups groups(*score::groupByNamed(by));
    for (const run::Utterance& row : rows)
        groups.add(row.speaker, row.seconds, run::countedEdits(row, rate));
    TableJson json = TableJson::array();
    TableCells cells { { by, "utterances", "total_seconds", rate, "tokens", "substitutions",
        "deletions", "insertions" } };
    for (const score::ErrorGroup& group : groups.groups()) {
        const score::ErrorRate& errors = group.errors;
        if (format == "json")
            json.push_back(groupJson(group, by, rate));
        else
            cells.push_back({ group.name(), std::to_string(errors.sentences),
                formatted("%.2f", group.seconds), formatted("%.2f", errors.percent()),
                std::to_string(errors.tokens), std::to_string(errors.substitutions),
                std::to_string(errors.deletions), std::to_string(errors.insertions) });
    }
    return format == "json" ? jsonText(json) : tableAs(format, cells);
}

} // namespace earwright::cli
