#include "core/data/prepare/json_rows.h"

#include "core/data/manifest_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kymo::data {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.is_number() ? value.dump() : "";
}

/// Collects rows whose columns come to light one after the other.
class Rows final {
public:
    void add(int line, const std::string& id, const Json& utterance)
    {
        CsvRow row { line, std::vector<std::string>(m_rows.front().fields.size()) };
        if (!id.empty())
            row.fields[0] = id;
        for (const auto& [name, value] : utterance.items())
            set(row, name, textOf(value));
        m_rows.push_back(std::move(row));
    }

    std::vector<CsvRow> take()
    {
        std::vector<std::string>& header = m_rows.front().fields;
        for (CsvRow& row : m_rows)
            row.fields.resize(header.size());
        const bool hasIds = std::any_of(m_rows.begin() + 1, m_rows.end(),
            [](const CsvRow& row) { return !row.fields[0].empty(); });
        if (!hasIds)
            header[0].clear(); // the files' names are the IDs
        return std::move(m_rows);
    }

private:
    void set(CsvRow& row, const std::string& name, std::string text)
    {
        std::vector<std::string>& header = m_rows.front().fields;
        const auto at = std::find(header.begin(), header.end(), name);
        const auto index = static_cast<size_t>(at - header.begin());
        if (at == header.end())
            header.push_back(name);
        row.fields.resize(header.size());
        row.fields[index] = std::move(text);
    }

    std::vector<CsvRow> m_rows { CsvRow { 1, { "id" } } };
};

} // namespace

Result<std::vector<CsvRow>> rowsOfJson(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() && !json.is_array())
        return Error { "line 1: expected a JSON object of utterances by their ID, or a list" };
    const std::vector<IdPlace> places = json.is_object() ? idsOfJson(text) : std::vector<IdPlace>();
    Rows rows;
    int number = 0;
    for (const auto& [key, utterance] : json.items()) {
        const size_t at = static_cast<size_t>(number++);
        const int line = at < places.size() ? places[at].line : number;
        if (!utterance.is_object())
            return Error { "line " + std::to_string(line) + ": '" + key + "' is no utterance" };
        rows.add(line, json.is_object() ? key : "", utterance);
    }
    return rows.take();
}

} // namespace kymo::data
