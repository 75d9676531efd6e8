#include "core/data/prepare/json_rows.h"

#include "core/base/text.h"
#include "core/data/json_members.h"

#include <algorithm>
#include <optional>

namespace earwright::data {
namespace {

bool isTexts(const Json& value)
{
    return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& element) {
        return element.is_string();
    });
}

std::string textOf(const Json& value)
{
    if (isTexts(value))
        return join(value.get<std::vector<std::string>>(), " ");
    return value.is_string() ? value.get<std::string>() : value.is_number() ? value.dump() : "";
}

std::optional<NotText> notTextOf(const Json& value)
{
    if (value.is_array())
        return isTexts(value) ? NotText::Texts : NotText::List;
    if (value.is_object())
        return NotText::Object;
    return value.is_boolean() ? std::optional(NotText::Boolean) : std::nullopt;
}

/// A part of a file, as SpeechBrain has them.
bool isFileWithPlaces(const Json& value)
{
    return value.is_object() && value.contains("file") && value["file"].is_string();
}

/// Collects rows whose columns come to light one after the other.
class ReadRows final {
public:
    void add(int line, const std::string& id, const Json& utterance)
    {
        m_rows.push_back({ line, std::vector<std::string>(m_rows.front().fields.size()) });
        if (!id.empty())
            m_rows.back().fields[0] = id;
        for (const auto& [name, value] : utterance.items())
            if (isFileWithPlaces(value))
                setFile(name, value);
            else
                set(name, value);
    }

    ListRows take()
    {
        std::vector<std::string>& header = m_rows.front().fields;
        for (CsvRow& row : m_rows)
            row.fields.resize(header.size());
        const bool hasIds = std::any_of(m_rows.begin() + 1, m_rows.end(),
            [](const CsvRow& row) { return !row.fields[0].empty(); });
        if (!hasIds)
            header[0].clear(); // the files' names are the IDs
        return { std::move(m_rows), std::move(m_notTexts) };
    }

private:
    void setFile(const std::string& name, const Json& value)
    {
        set(name, value["file"]);
        for (const char* place : { "start", "stop" })
            if (value.contains(place))
                set(name + "." + place, value[place]);
    }

    /// Of the last row.
    void set(const std::string& name, const Json& value)
    {
        std::vector<std::string>& header = m_rows.front().fields;
        const auto at = std::find(header.begin(), header.end(), name);
        const auto index = static_cast<size_t>(at - header.begin());
        if (at == header.end())
            header.push_back(name);
        CsvRow& row = m_rows.back();
        row.fields.resize(header.size());
        row.fields[index] = textOf(value);
        if (const std::optional<NotText> kind = notTextOf(value))
            m_notTexts[{ m_rows.size() - 1, index }] = *kind;
    }

    std::vector<CsvRow> m_rows { CsvRow { 1, { "id" } } };
    NotTexts m_notTexts;
};

/// Two lines at least, of which the first is an object by itself.
bool isLines(const std::vector<std::string>& lines)
{
    std::vector<const std::string*> filled;
    for (const std::string& line : lines)
        if (!trim(line).empty())
            filled.push_back(&line);
    return filled.size() > 1 && Json::parse(*filled.front(), nullptr, false).is_object();
}

Result<ListRows> rowsOfLines(const std::vector<std::string>& lines)
{
    ReadRows rows;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (trim(lines[i]).empty())
            continue;
        const Json utterance = Json::parse(lines[i], nullptr, false);
        const std::string place = atLine(static_cast<int>(i + 1));
        if (utterance.is_discarded())
            return Error { place + "this is not valid JSON" };
        if (!utterance.is_object())
            return Error { place + inQuotes(utterance.dump()) + " is no utterance" };
        rows.add(static_cast<int>(i + 1), "", utterance);
    }
    return rows.take();
}

/// A file with places and nothing else: no utterance.
bool isPart(const Json& value)
{
    return isFileWithPlaces(value)
        && value.size() == 1 + value.count("start") + value.count("stop");
}

/// One utterance by itself; utterances by their ID are all objects.
bool isUtterance(const JsonMembers& json)
{
    const auto is = [&](auto test) { return std::any_of(json.all.begin(), json.all.end(), test); };
    return json.outermost == Json::value_t::object
        && is([](const JsonMember& member) { return !member.value.is_object(); })
        && !is([](const JsonMember& member) {
               return member.value.is_object() && !isPart(member.value);
           });
}

Json utteranceOf(const JsonMembers& json)
{
    Json utterance;
    for (const JsonMember& member : json.all)
        utterance[member.key] = member.value;
    return utterance;
}

} // namespace

Result<ListRows> rowsOfJson(std::string_view text)
{
    if (const std::vector<std::string> lines = split(text, '\n'); isLines(lines))
        return rowsOfLines(lines);
    const Result<JsonMembers> json = membersOfJson(text);
    if (!json)
        return json.error();
    if (json->outermost != Json::value_t::object && json->outermost != Json::value_t::array)
        return Error { "line 1: expected a JSON object of utterances by their ID, or a list" };
    ReadRows rows;
    if (isUtterance(*json)) {
        rows.add(json->all.front().line, "", utteranceOf(*json));
        return rows.take();
    }
    for (const JsonMember& member : json->all) {
        if (!member.value.is_object())
            return Error { atLine(member.line)
                + inQuotes(member.key.empty() ? member.value.dump() : member.key)
                + " is no utterance" };
        rows.add(member.line, member.key, member.value);
    }
    return rows.take();
}

} // namespace earwright::data
