#include "core/data/manifest_json.h"

#include "core/base/text.h"

#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace kymo::data {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes of a text for the JSON library; counts the line ends it has passed, since the library
/// keeps no places.
class CountingIterator final {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, int* line)
        : m_at(at)
        , m_line(line)
    {
    }
    reference operator*() const { return *m_at; }
    CountingIterator& operator++()
    {
        *m_line += *m_at == '\n' ? 1 : 0;
        ++m_at;
        return *this;
    }
    bool operator==(const CountingIterator& other) const { return m_at == other.m_at; }
    bool operator!=(const CountingIterator& other) const { return m_at != other.m_at; }

private:
    const char* m_at;
    int* m_line;
};

struct Keys {
    std::map<std::string, int> lineOf;
    std::string repeated; ///< the first key seen twice, described
};

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
    int line = 1;
    std::vector<IdPlace> ids;
    const auto noteKey = [&](int depth, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::key && depth == 1)
            ids.push_back({ value.get<std::string>(), line });
        return true;
    };
    const CountingIterator begin(text.data(), &line);
    const CountingIterator end(text.data() + text.size(), &line);
    return Json::parse(begin, end, noteKey, false).is_discarded() ? std::vector<IdPlace>() : ids;
}

Result<std::vector<Utterance>> parseJsonManifest(std::string_view text)
{
    int line = 1;
    Keys keys;
    const auto noteKey = [&](int depth, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::key && depth == 1) {
            const auto [at, isNew] = keys.lineOf.emplace(value.get<std::string>(), line);
            if (!isNew && keys.repeated.empty())
                keys.repeated = atLine(line) + "the ID '" + at->first + "' is already on line "
                    + std::to_string(at->second);
        }
        return true;
    };
    const CountingIterator begin(text.data(), &line);
    const CountingIterator end(text.data() + text.size(), &line);
    const Json root = Json::parse(begin, end, noteKey, false);
    if (root.is_discarded())
        return Error { atLine(line) + "this is not valid JSON from here on" };
    if (!root.is_object())
        return Error { "line 1: expected {\"ID\": {\"wav\": …, \"duration\": …, \"wrd\": …}, …}" };
    if (!keys.repeated.empty())
        return Error { keys.repeated };
    std::vector<Utterance> utterances;
    for (const auto& [id, entry] : root.items()) {
        Result<Utterance> utterance = toUtterance(id, entry, keys.lineOf[id]);
        if (!utterance)
            return utterance.error();
        utterances.push_back(std::move(*utterance));
    }
    return utterances;
}

} // namespace kymo::data
