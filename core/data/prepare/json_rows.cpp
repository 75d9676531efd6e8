#include "core/data/prepare/json_rows.h"

#include "core/base/text.h"
#include "core/data/json_members.h"

#include <algorithm>

namespace kymo::data {
namespace {

using Json = nlohmann::json;

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
    const Result<JsonMembers> json = membersOfJson(text);
    if (!json)
        return json.error();
    if (json->outermost != Json::value_t::object && json->outermost != Json::value_t::array)
        return Error { "line 1: expected a JSON object of utterances by their ID, or a list" };
    Rows rows;
    for (const JsonMember& member : json->all) {
        if (!member.value.is_object())
            return Error { "line " + std::to_string(member.line) + ": "
                + inQuotes(member.key.empty() ? member.value.dump() : member.key)
                + " is no utterance" };
        rows.add(member.line, member.key, member.value);
    }
    return rows.take();
}

} // namespace kymo::data
