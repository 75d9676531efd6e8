#include "core/data/text_column.h"

#include "core/base/bytes.h"
#include "core/base/not_text.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/json_members.h"

#include <algorithm>
#include <utility>

namespace earwright::data {
namespace {

using Texts = std::vector<std::string>;

Result<Texts> ofCsv(const std::string& text, const std::string& column)
{
    const Result<std::vector<CsvRow>> rows = parseCsv(text);
    if (!rows)
        return rows.error();
    const Texts header = rows->empty() ? Texts() : rows->front().fields;
    const auto at = std::find(header.begin(), header.end(), column);
    if (at == header.end())
        return Error { "there is no column '" + column + "'; it has " + join(header, ", ") };
    const auto index = static_cast<size_t>(at - header.begin());
    Texts texts;
    for (size_t i = 1; i < rows->size(); ++i) {
        const CsvRow& row = (*rows)[i];
        if (index >= row.fields.size())
            return Error { atLine(row.line) + "no field for the column '" + column + "'" };
        texts.push_back(row.fields[index]);
    }
    return texts;
}

Result<Texts> ofJson(const std::string& text, const std::string& name)
{
    const Error noObject { "it is no JSON object of utterances" };
    TextBytes bytes(text);
    Texts texts;
    const auto read = eachJsonMember(bytes, [&](JsonMember member, Json::value_t holder) -> Status {
        if (holder != Json::value_t::object)
            return noObject;
        const Json& row = member.value;
        if (!row.is_object() || !row.contains(name) || !row[name].is_string())
            return Error { "the utterance '" + member.key + "' has no text '" + name + "'" };
        texts.push_back(row[name].get<std::string>());
        return Done {};
    });
    if (!read)
        return read.error();
    return *read == Json::value_t::object ? Result(std::move(texts)) : noObject;
}

} // namespace

Result<Texts> readTextColumn(const std::filesystem::path& file, const std::string& column)
{
    const Result<std::string> text = readTextFile(file);
    if (!text)
        return text.error();
    const bool isJson = toLower(file.extension().string()) == ".json";
    Result<Texts> texts = isJson ? ofJson(*text, column) : ofCsv(*text, column);
    return texts ? std::move(texts) : Error { "'" + file.string() + "': " + texts.error().message };
}

Result<Texts> readLines(const std::filesystem::path& file)
{
    const Result<std::string> text = readTextFile(file);
    if (!text)
        return text.error();
    Texts lines;
    for (const std::string& line : split(*text, '\n')) {
        if (!trim(line).empty())
            lines.emplace_back(trim(line));
    }
    return lines;
}

} // namespace earwright::data
