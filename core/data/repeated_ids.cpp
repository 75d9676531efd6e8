#include "core/data/repeated_ids.h"

#include "core/data/csv.h"
#include "core/data/manifest_json.h"

#include <algorithm>
#include <map>

namespace earwright::data {
namespace {

std::vector<RepeatedId> repeatedAmong(const std::vector<IdPlace>& ids)
{
    std::map<std::string, int> lineOf;
    std::vector<RepeatedId> repeated;
    for (const IdPlace& place : ids) {
        const auto [first, isNew] = lineOf.emplace(place.id, place.line);
        if (!isNew)
            repeated.push_back({ place.id, place.line, first->second });
    }
    return repeated;
}

} // namespace

std::vector<RepeatedId> repeatedIdsOfCsv(std::string_view text)
{
    const Result<std::vector<CsvRow>> rows = parseCsv(text);
    if (!rows || rows->empty())
        return {};
    const std::vector<std::string>& header = rows->front().fields;
    const auto at
        = static_cast<size_t>(std::find(header.begin(), header.end(), "ID") - header.begin());
    std::vector<IdPlace> ids;
    for (size_t row = 1; row < rows->size(); ++row)
        if (at < (*rows)[row].fields.size())
            ids.push_back({ (*rows)[row].fields[at], (*rows)[row].line });
    return repeatedAmong(ids);
}

std::vector<RepeatedId> repeatedIdsOfJson(std::string_view text)
{
    return repeatedAmong(idsOfJson(text));
}

} // namespace earwright::data
