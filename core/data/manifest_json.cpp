#include "core/data/manifest_json.h"

#include "core/data/json_members.h"

#include <map>
#include <optional>
#include <utility>

namespace kymo::data {
namespace {

using Json = nlohmann::json;

std::string atLine(int line)
{
    return "line " + std::to_string(line) + ": ";
}

std::string textOf(const Json& entry, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        if (const auto at = entry.find(name); at != entry.end())
            return at->is_string() ? at->get<std::string>() : at->dump();
    }
    return {};
}

bool hasAny(const Json& entry, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        if (entry.contains(name))
            return true;
    }
    return false;
}

std::optional<double> numberOf(const Json& entry, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        const auto at = entry.find(name);
        if (at != entry.end() && at->is_number())
            return at->get<double>();
    }
    return std::nullopt;
}

/// What is wrong with an entry, or "".
std::string complaint(const Json& entry)
{
    if (!entry.is_object())
        return "is no mapping; an entry looks like {\"wav\": …, \"duration\": …, \"wrd\": …}";
    if (!entry.contains("wav") || !entry["wav"].is_string()
        || entry["wav"].get<std::string>().empty())
        return "has no \"wav\"";
    const std::optional<double> seconds = numberOf(entry, { "duration", "length" });
    if (!seconds || !(*seconds >= 0))
        return "has no \"duration\" (or \"length\") that is a number of seconds";
    if (!hasAny(entry, { "wrd", "words" }))
        return "has no \"wrd\" (or \"words\")";
    return {};
}

Result<Utterance> toUtterance(const std::string& id, const Json& entry, int line)
{
    if (const std::string wrong = complaint(entry); !wrong.empty())
        return Error { atLine(line) + "'" + id + "' " + wrong };
    Utterance utterance;
    utterance.id = id;
    utterance.wav = entry["wav"].get<std::string>();
    utterance.durationSeconds = *numberOf(entry, { "duration", "length" });
    utterance.speaker = textOf(entry, { "spk_id" });
    utterance.text = textOf(entry, { "wrd", "words" });
    utterance.line = line;
    return utterance;
}

} // namespace

std::vector<IdPlace> idsOfJson(std::string_view text)
{
    const Result<JsonMembers> json = membersOfJson(text);
    std::vector<IdPlace> ids;
    if (json && json->outermost == Json::value_t::object)
        for (const JsonMember& member : json->all)
            ids.push_back({ member.key, member.line });
    return ids;
}

Result<std::vector<Utterance>> parseJsonManifest(std::string_view text)
{
    const Result<JsonMembers> json = membersOfJson(text);
    if (!json)
        return json.error();
    if (json->outermost != Json::value_t::object)
        return Error { "line 1: expected {\"ID\": {\"wav\": …, \"duration\": …, \"wrd\": …}, …}" };
    std::vector<Utterance> utterances;
    std::map<std::string, int> lineOf;
    for (const JsonMember& member : json->all) {
        const auto [first, isNew] = lineOf.emplace(member.key, member.line);
        if (!isNew)
            return Error { atLine(member.line) + "the ID '" + member.key + "' is already on line "
                + std::to_string(first->second) };
        Result<Utterance> utterance = toUtterance(member.key, member.value, member.line);
        if (!utterance)
            return utterance.error();
        utterances.push_back(std::move(*utterance));
    }
    return utterances;
}

} // namespace kymo::data
