#include "core/data/fingerprint.h"

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/base/text.h"
#include "core/data/hash.h"

#include <bit>
#include <cinttypes>
#include <cstdio>

namespace earwright::data {
namespace {

constexpr int64_t kFormat = 1;
constexpr const char* kWhole = "bytes"; ///< the column of a file that has none

std::string hex(uint64_t value)
{
    char text[20] = {};
    std::snprintf(text, sizeof(text), "%016" PRIx64, value);
    return text;
}

/// Of the file, and of its part.
uint64_t soundHash(const Utterance& utterance)
{
    const SoundPart& part = utterance.part;
    uint64_t hash = hashText(utterance.wav);
    if (part.isWhole())
        return hash;
    for (const double place :
        { part.begin, part.end, part.seconds, double(part.countsSamples), double(part.channel) })
        hash = mixBits(hash ^ std::bit_cast<uint64_t>(place));
    return hash;
}

/// With the utterance's labels, where it has some.
uint64_t wordsHash(const Utterance& utterance)
{
    return hashText(
        utterance.labels.empty() ? utterance.text : utterance.text + '\n' + utterance.labels);
}

std::string sizeText(const Fingerprint& set)
{
    char text[80] = {};
    std::snprintf(text, sizeof(text), "%" PRId64 " utterances (%.1f s)", set.rows, set.seconds);
    return text;
}

std::string changedColumns(const Fingerprint& before, const Fingerprint& now)
{
    std::vector<std::string> changed;
    for (const auto& [column, sum] : now.columns) {
        const auto found = before.columns.find(column);
        if (found == before.columns.end() || found->second != sum)
            changed.push_back(column);
    }
    return join(changed, ", ");
}

} // namespace

Fingerprint fingerprintOf(
    const std::string& name, const std::string& file, const std::vector<Utterance>& utterances)
{
    Fingerprint set { .name = name, .file = file };
    std::map<std::string, uint64_t> sums;
    uint64_t anyOrder = 0;
    for (const Utterance& utterance : utterances) {
        uint64_t row = 0;
        for (const auto& [column, hash] :
            { std::pair { "ID", hashText(utterance.id) }, { "wav", soundHash(utterance) },
                { "duration", mixBits(std::bit_cast<uint64_t>(utterance.durationSeconds)) },
                { "spk_id", hashText(utterance.speaker) }, { "wrd", wordsHash(utterance) } }) {
            uint64_t& sum = sums[column];
            sum = mixBits(sum ^ hash);
            row = mixBits(row ^ hash);
        }
        anyOrder += row;
        set.seconds += utterance.durationSeconds;
    }
    set.rows = std::ssize(utterances);
    for (const auto& [column, sum] : sums)
        set.columns[column] = hex(sum);
    set.anyOrder = hex(anyOrder);
    return set;
}

Fingerprint fingerprintOf(const std::string& setting, const std::string& file)
{
    Fingerprint set { .name = setting, .file = file };
    if (const Result<std::string> bytes = readFile(file))
        set.columns[kWhole] = sha256Hex(*bytes);
    return set;
}

std::string difference(const Fingerprint& before, const Fingerprint& now)
{
    if (before.columns == now.columns)
        return "";
    if (now.rows == 0)
        return "its content differs";
    if (before.rows != now.rows)
        return sizeText(before) + " before, " + sizeText(now) + " now";
    if (before.anyOrder == now.anyOrder)
        return "the same " + sizeText(now) + " in another order";
    return sizeText(before) + " before, " + sizeText(now) + " now, which differ in "
        + changedColumns(before, now);
}

std::string fingerprintsToJson(const std::vector<Fingerprint>& sets)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Fingerprint& set : sets)
        list.push_back({ { "name", set.name }, { "file", set.file }, { "rows", set.rows },
            { "seconds", set.seconds }, { "columns", set.columns },
            { "any_order", set.anyOrder } });
    const nlohmann::json all { { "version", kFormat }, { "sets", list } };
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<std::vector<Fingerprint>> fingerprintsFromJson(const std::string& json)
{
    Result<JsonReader> reader = JsonReader::parse(json);
    if (!reader)
        return reader.error();
    int64_t version = 0;
    reader->require("version", version, JsonRange { kFormat, kFormat });
    std::vector<Fingerprint> sets;
    for (JsonReader& entry : reader->objects("sets")) {
        Fingerprint& set = sets.emplace_back();
        entry.require("name", set.name);
        entry.require("file", set.file);
        entry("rows", set.rows, kJsonCount);
        entry("seconds", set.seconds);
        entry("columns", set.columns);
        entry("any_order", set.anyOrder);
    }
    if (const Status read = reader->status(); !read)
        return read.error();
    return sets;
}

} // namespace earwright::data
