#include "core/data/manifest_rows.h"

#include "core/base/bytes.h"
#include "core/base/file.h"
#include "core/base/json_depth.h"
#include "core/base/text.h"
#include "core/data/csv.h"
#include "core/data/json_members.h"
#include "core/data/json_spans.h"
#include "core/data/manifest_json.h"
#include "core/data/manifest_lines.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace earwright::data {

namespace {

constexpr size_t kNoColumn = static_cast<size_t>(-1);

size_t columnOf(const std::vector<std::string>& header, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        const auto found = std::ranges::find(header, name);
        if (found != header.end())
            return static_cast<size_t>(found - header.begin());
    }
    return kNoColumn;
}

Result<RewrittenManifest> rewriteCsv(const std::string& manifest,
    const settings::ManifestColumns& columns, const EditManifestRow& edit)
{
    RewrittenManifest written;
    std::vector<std::string> header;
    size_t id = kNoColumn;
    size_t words = kNoColumn;
    TextBytes bytes(manifest);
    const Status read = eachCsvRow(bytes, [&](CsvRow& row) -> Status {
        const bool isHeader = header.empty();
        if (isHeader) {
            header = row.fields;
            id = columnOf(header, { "ID" });
            words = columnOf(header, columns.text);
            if (id == kNoColumn || words == kNoColumn)
                return Error { atLine(row.line) + "no column 'ID', or none of the texts: '"
                    + join(columns.text, "', '") + "'" };
            written.column = header[words];
        } else if (row.fields.size() != header.size()) {
            return Error { atLine(row.line) + "has not as many fields as the first line" };
        }
        if (isHeader || edit(row.fields[id], row.fields[words]))
            written.text += formatCsvRow(row.fields);
        return Done {};
    });
    return read ? Result(std::move(written)) : read.error();
}

/// What becomes of a member of a JSON manifest.
struct JsonEdit {
    bool isKept = true;
    std::string column; ///< that has its text
    std::optional<std::string> text {}; ///< the other one; none = it stays
};

/// Of each member, in their order.
Result<std::vector<JsonEdit>> editsOfJson(const std::string& manifest,
    const settings::ManifestColumns& columns, const EditManifestRow& edit)
{
    std::vector<JsonEdit> edits;
    TextBytes bytes(manifest);
    const Result<Json::value_t> read = eachJsonMember(
        bytes, [&](JsonMember member, Json::value_t holder) -> Status {
            const auto name = std::ranges::find_if(columns.text, [&](const std::string& each) {
                return member.value.is_object() && member.value.contains(each);
            });
            if (holder != Json::value_t::object || name == columns.text.end())
                return Error { atLine(member.line) + "'" + member.key + "' has no \""
                    + join(columns.text, "\" or \"") + "\"" };
            const Json& words = member.value[*name];
            const std::string before = words.is_string() ? words.get<std::string>() : words.dump();
            std::string after = before;
            JsonEdit& one = edits.emplace_back(JsonEdit { .column = *name });
            one.isKept = edit(member.key, after);
            if (after != before)
                one.text = std::move(after);
            return Done {};
        });
    return read ? Result(std::move(edits)) : read.error();
}

Result<RewrittenManifest> rewriteJson(const std::string& manifest,
    const settings::ManifestColumns& columns, const EditManifestRow& edit)
{
    const Result<std::vector<JsonEdit>> edits = editsOfJson(manifest, columns, edit);
    if (!edits)
        return edits.error();
    RewrittenManifest written;
    const std::vector<JsonSpan> spans = spansOfJson(manifest);
    for (size_t i = 0; i < std::min(spans.size(), edits->size()); ++i) {
        const JsonEdit& one = (*edits)[i];
        written.column = one.column;
        if (!one.isKept)
            continue;
        const JsonSpan& span = spans[i];
        written.text += written.text.empty() ? "{\n  " : ",\n  ";
        written.text += span.whole.substr(0, span.whole.size() - span.value.size());
        written.text += one.text ? withJsonValue(span.value, one.column, Json(*one.text).dump())
                                 : std::string(span.value);
    }
    written.text += written.text.empty() ? "{}\n" : "\n}\n";
    return written;
}

/// As FunASR's scp2jsonl counts: words, of a text without blanks letters.
int64_t targetLength(const std::string& text)
{
    return static_cast<int64_t>(
        text.find(' ') == std::string::npos ? codePointCount(text) : splitAtBlanks(text).size());
}

/// "" = it is left out.
Result<std::string> rewriteLine(
    const std::string& line, const std::string& id, const EditManifestRow& edit)
{
    const auto row = parseShallow<Json>(withoutByteOrderMark(line));
    if (!row.is_object() || !row.contains("target") || !row["target"].is_string())
        return Error { "has no \"target\" that is a text" };
    const std::string before = row["target"].get<std::string>();
    std::string after = before;
    if (!edit(id, after))
        return std::string();
    if (after == before)
        return line + "\n";
    const std::string edited = withJsonValue(line, "target", Json(after).dump());
    return withJsonValue(edited, "target_len", std::to_string(targetLength(after))) + "\n";
}

Result<RewrittenManifest> rewriteLines(const std::string& manifest, const EditManifestRow& edit)
{
    std::unordered_map<int, std::string> ids; // by line
    TextBytes bytes(manifest);
    const Status read
        = eachIdOfLines(bytes, [&](const std::string& id, int line) { ids[line] = id; });
    if (!read)
        return read.error();
    RewrittenManifest all { .column = "target" };
    int number = 0;
    for (const std::string& line : split(manifest, '\n')) {
        ++number;
        if (trim(line).empty())
            continue;
        const Result<std::string> written = rewriteLine(line, ids[number], edit);
        if (!written)
            return Error { atLine(number) + written.error().message };
        all.text += *written;
    }
    return all;
}

} // namespace

Result<RewrittenManifest> rewriteManifest(const std::filesystem::path& manifest,
    const settings::ManifestColumns& columns, const EditManifestRow& edit)
{
    const Result<std::string> text = readFile(manifest);
    if (!text)
        return text.error();
    const Result<RewrittenManifest> rewritten = isJsonManifest(manifest)
        ? rewriteJson(*text, columns, edit)
        : isListOfLines(manifest) ? rewriteLines(*text, edit)
                                  : rewriteCsv(*text, columns, edit);
    return rewritten ? rewritten
                     : Result<RewrittenManifest>(
                         Error { inQuotes(manifest.string()) + ", " + rewritten.error().message });
}

} // namespace earwright::data
