#include "core/data/manifest_json.h"

#include "core/base/text.h"
#include "core/data/json_members.h"
#include "core/data/whole_files.h"

#include <optional>
#include <utility>

namespace earwright::data {
namespace {

/// What stands under the first name that is there; null: none is.
const Json* memberOf(const Json& entry, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        if (const auto at = entry.find(name); at != entry.end())
            return &*at;
    }
    return nullptr;
}

/// Of a text or a number. Another value is no text: written out, `null` would be a word.
std::optional<std::string> textOf(const Json* value)
{
    if (value && value->is_string())
        return value->get<std::string>();
    return value && value->is_number() ? std::optional(value->dump()) : std::nullopt;
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

/// Of "wav", a path or SpeechBrain's {"file": …, "start": …, "stop": …}; "" where it has none.
std::string fileOf(const Json& entry)
{
    const Json wav = entry.value("wav", Json());
    const Json file = wav.is_object() ? wav.value("file", Json()) : wav;
    return file.is_string() ? file.get<std::string>() : "";
}

/// Of an entry that is a part of its recording, or "": the places stand in it or in its "wav".
std::string whyPart(const Json& entry)
{
    for (const Json* places : { &entry, &entry["wav"] }) {
        const auto place
            = [&](const char* name) { return textOf(memberOf(*places, { name })).value_or(""); };
        if (const std::string why = whyNoWholeFile(place("start"), place("stop")); !why.empty())
            return why;
    }
    return {};
}

/// What is wrong with an entry, or "".
std::string complaint(const Json& entry)
{
    if (!entry.is_object())
        return "is no mapping; an entry looks like {\"wav\": …, \"duration\": …, \"wrd\": …}";
    if (!entry.contains("wav"))
        return "has no \"wav\"";
    if (fileOf(entry).empty())
        return "has a \"wav\" that is neither a path nor {\"file\": …} with one";
    if (const std::string part = whyPart(entry); !part.empty())
        return part;
    const std::optional<double> seconds = numberOf(entry, { "duration", "length" });
    if (!seconds || !(*seconds >= 0))
        return "has no \"duration\" (or \"length\") that is a number of seconds";
    const Json* words = memberOf(entry, { "wrd", "words" });
    if (!words)
        return "has no \"wrd\" (or \"words\")";
    return textOf(words) ? "" : "has a \"wrd\" (or \"words\") that is neither a text nor a number";
}

Result<Utterance> toUtterance(const std::string& id, const Json& entry, int line)
{
    if (const std::string wrong = complaint(entry); !wrong.empty())
        return Error { atLine(line) + "'" + id + "' " + wrong };
    Utterance utterance;
    utterance.id = id;
    utterance.wav = fileOf(entry);
    utterance.durationSeconds = *numberOf(entry, { "duration", "length" });
    utterance.speaker = textOf(memberOf(entry, { "spk_id" })).value_or("");
    utterance.text = *textOf(memberOf(entry, { "wrd", "words" }));
    utterance.line = line;
    return utterance;
}

} // namespace

bool isJsonManifest(const std::filesystem::path& file)
{
    return toLower(file.extension().string()) == ".json";
}

Status eachRowOfJson(std::streambuf& text, const std::function<Status(Utterance utterance)>& take)
{
    const Error noObject {
        "line 1: expected {\"ID\": {\"wav\": …, \"duration\": …, \"wrd\": …}, …}"
    };
    const Result<Json::value_t> outermost
        = eachJsonMember(text, [&](JsonMember member, Json::value_t holder) -> Status {
              if (holder != Json::value_t::object)
                  return noObject;
              Result<Utterance> utterance = toUtterance(member.key, member.value, member.line);
              return utterance ? take(std::move(*utterance)) : utterance.error();
          });
    if (!outermost)
        return outermost.error();
    return *outermost == Json::value_t::object ? Status(Done {}) : noObject;
}

} // namespace earwright::data
