#include "core/data/text_column.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/data/csv.h"

#include <algorithm>
#include <nlohmann/json.hpp>
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

Result<Texts> ofJson(const std::string& text, const std::string& member)
{
    const auto rows = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!rows.is_object())
        return Error { "it is no JSON object of utterances" };
    Texts texts;
    for (const auto& [id, row] : rows.items()) {
        if (!row.is_object() || !row.contains(member) || !row[member].is_string())
            return Error { "the utterance '" + id + "' has no text '" + member + "'" };
        texts.push_back(row[member].get<std::string>());
    }
    return texts;
}

} // namespace

Result<Texts> readTextColumn(const std::filesystem::path& file, const std::string& column)
{
    const Result<std::string> text = readFile(file);
    if (!text)
        return text.error();
    const bool isJson = toLower(file.extension().string()) == ".json";
    Result<Texts> texts = isJson ? ofJson(*text, column) : ofCsv(*text, column);
    return texts ? std::move(texts) : Error { "'" + file.string() + "': " + texts.error().message };
}

Result<Texts> readLines(const std::filesystem::path& file)
{
    const Result<std::string> text = readFile(file);
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
