// Manifests: CSV, JSON, JSON Lines, and the Python literals that stand in their cells.
#include "core/base/bytes.h"
#include "core/data/csv.h"
#include "core/data/manifest_json.h"
#include "core/data/manifest_lines.h"
#include "core/data/python_literal.h"
#include "tests/fuzz/fuzz.h"

using namespace earwright;

namespace {

/// As the readers of both kinds promise.
void requireLine(const Status& read)
{
    fuzz::require(read || read.error().message.starts_with("line "), "an error names its line",
        read ? "" : read.error().message);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    const settings::ManifestColumns columns;
    const auto ignore = [](const data::Utterance&) -> Status { return Done {}; };
    TextBytes json(text);
    requireLine(data::eachRowOfJson(json, { columns, data::soundPartOf }, ignore));
    TextBytes lines(text);
    requireLine(data::eachRowOfLines(lines, { "text_language", "emo_target" }, ignore));
    if (const auto literal = data::parsePythonString(text))
        fuzz::require(literal->length <= text.size(), "a literal ends inside its text");
    const auto rows = data::parseCsv(text);
    // A second byte order mark is a part of the first field; written first, it is a mark again.
    if (!rows || rows->empty() || rows->front().fields.front().starts_with("\xEF\xBB\xBF"))
        return 0;
    std::string written;
    for (const data::CsvRow& row : *rows)
        written += data::formatCsvRow(row.fields);
    const auto again = data::parseCsv(written);
    fuzz::require(again && again->size() == rows->size(), "rows written are read again", written);
    for (size_t i = 0; i < rows->size(); ++i)
        fuzz::require((*again)[i].fields == (*rows)[i].fields, "as they were", written);
    return 0;
}
