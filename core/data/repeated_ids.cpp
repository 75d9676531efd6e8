#include "core/data/repeated_ids.h"

#include "core/base/bytes.h"
#include "core/data/csv.h"
#include "core/data/json_members.h"
#include "core/data/manifest_json.h"
#include "core/data/manifest_lines.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace earwright::data {
namespace {

using TakeId = std::function<void(const std::string& id, int line)>;

Status eachIdOfCsv(std::streambuf& text, const TakeId& take)
{
    std::optional<size_t> column;
    return eachCsvRow(text, [&](CsvRow& row) -> Status {
        if (column && *column < row.fields.size())
            take(row.fields[*column], row.line);
        if (!column)
            column = std::find(row.fields.begin(), row.fields.end(), "ID") - row.fields.begin();
        return Done {};
    });
}

Status eachIdOfJson(std::streambuf& text, const TakeId& take)
{
    const auto read = eachJsonMember(text, [&](JsonMember member, Json::value_t holder) -> Status {
        if (holder == Json::value_t::object)
            take(member.key, member.line);
        return Done {};
    });
    return read ? Status(Done {}) : read.error();
}

/// Whether it could be read to its end.
bool eachId(const std::filesystem::path& manifest, const TakeId& take)
{
    const auto file = FileBytes::open(manifest);
    const auto read = isJsonManifest(manifest) ? eachIdOfJson
        : isListOfLines(manifest)              ? eachIdOfLines
                                               : eachIdOfCsv;
    return file && read(**file, take);
}

} // namespace

std::vector<RepeatedId> repeatedIds(const std::filesystem::path& manifest)
{
    std::vector<uint64_t> hashes;
    const auto note = [&](const std::string& id, int) { hashes.push_back(idHash(id)); };
    return eachId(manifest, note) ? repeatedIds(manifest, std::move(hashes))
                                  : std::vector<RepeatedId>();
}

uint64_t idHash(std::string_view id)
{
    return std::hash<std::string_view>()(id);
}

std::vector<RepeatedId> repeatedIds(
    const std::filesystem::path& manifest, std::vector<uint64_t> hashes)
{
    std::sort(hashes.begin(), hashes.end());
    std::unordered_set<uint64_t> again;
    for (auto at = hashes.begin(); (at = std::adjacent_find(at, hashes.end())) != hashes.end();
         ++at)
        again.insert(*at);
    std::vector<RepeatedId> repeated;
    if (again.empty())
        return repeated;
    std::unordered_map<std::string, int> lineOf; // of those that may be repeated
    eachId(manifest, [&](const std::string& id, int line) {
        if (!again.contains(idHash(id)))
            return;
        const auto [first, isNew] = lineOf.emplace(id, line);
        if (!isNew)
            repeated.push_back({ id, line, first->second });
    });
    return repeated;
}

} // namespace earwright::data
