#include "core/data/manifest_json.h"

#include "core/base/text.h"
#include "core/data/json_members.h"

#include <optional>
#include <utility>

namespace earwright::data {
namespace {

/// What stands under the first name that is there; null: none is.
const Json* memberOf(const Json& entry, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
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

/// Of a path or SpeechBrain's {"file": …, "start": …, "stop": …}; "" where it has none.
std::string fileOf(const Json& wav)
{
    const Json file = wav.is_object() ? wav.value("file", Json()) : wav;
    return file.is_string() ? file.get<std::string>() : "";
}

/// They stand in the entry or in its "wav".
PlaceTexts placesOf(const Json& entry, const Json& wav)
{
    const auto place = [&](const char* name) {
        const Json* inside = wav.is_object() ? memberOf(wav, { name }) : nullptr;
        return textOf(inside ? inside : memberOf(entry, { name })).value_or("");
    };
    return { .start = place("start"),
        .stop = place("stop"),
        .beginSeconds = place("begin_time"),
        .endSeconds = place("end_time"),
        .channel = place("channel") };
}

std::string inDoubleQuotes(const std::string& name)
{
    return "\"" + name + "\"";
}

/// "wrd" (or "words", "text")
std::string namesOf(const std::vector<std::string>& names)
{
    const std::string others = join({ names.begin() + 1, names.end() }, "\", \"");
    return inDoubleQuotes(names.front()) + (others.empty() ? "" : " (or \"" + others + "\")");
}

/// What is wrong with an entry, or "".
std::string complaint(const Json& entry, const settings::ManifestColumns& columns)
{
    if (!entry.is_object())
        return "is no mapping; an entry looks like {\"wav\": …, \"duration\": …, \"wrd\": …}";
    const Json* wav = memberOf(entry, columns.sound);
    if (!wav)
        return "has no " + namesOf(columns.sound);
    if (fileOf(*wav).empty())
        return "has a " + namesOf(columns.sound)
            + " that is neither a path nor {\"file\": …} with one";
    const std::optional<double> seconds = numberOf(entry, { "duration", "length" });
    if (!seconds || !(*seconds >= 0))
        return "has no \"duration\" (or \"length\") that is a number of seconds";
    const Json* words = memberOf(entry, columns.text);
    if (!words)
        return "has no " + namesOf(columns.text);
    return textOf(words)
        ? ""
        : "has a " + namesOf(columns.text) + " that is neither a text nor a number";
}

Result<Utterance> toUtterance(
    const std::string& id, const Json& entry, int line, const JsonReading& reading)
{
    if (const std::string wrong = complaint(entry, reading.columns); !wrong.empty())
        return Error { atLine(line) + "'" + id + "' " + wrong };
    const Json& wav = *memberOf(entry, reading.columns.sound);
    Utterance utterance;
    utterance.id = id;
    utterance.wav = fileOf(wav);
    utterance.durationSeconds = *numberOf(entry, { "duration", "length" });
    utterance.speaker = textOf(memberOf(entry, { "spk_id" })).value_or("");
    utterance.text = *textOf(memberOf(entry, reading.columns.text));
    utterance.line = line;
    const Result<SoundPart> part = reading.part(placesOf(entry, wav), utterance.durationSeconds);
    if (!part)
        return Error { atLine(line) + "'" + id + "' " + part.error().message };
    utterance.part = *part;
    return utterance;
}

} // namespace

bool isJsonManifest(const std::filesystem::path& file)
{
    return toLower(file.extension().string()) == ".json";
}

Status eachRowOfJson(std::streambuf& text, const JsonReading& reading,
    const std::function<Status(Utterance utterance)>& take)
{
    const Error noObject {
        "line 1: expected {\"ID\": {\"wav\": …, \"duration\": …, \"wrd\": …}, …}"
    };
    const Result<Json::value_t> outermost
        = eachJsonMember(text, [&](JsonMember member, Json::value_t holder) -> Status {
              if (holder != Json::value_t::object)
                  return noObject;
              Result<Utterance> utterance
                  = toUtterance(member.key, member.value, member.line, reading);
              return utterance ? take(std::move(*utterance)) : utterance.error();
          });
    if (!outermost)
        return outermost.error();
    return *outermost == Json::value_t::object ? Status(Done {}) : noObject;
}

} // namespace earwright::data
