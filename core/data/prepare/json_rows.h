#pragma once

#include "core/data/csv.h"

#include <cstddef>
#include <map>
#include <utility>

namespace earwright::data {

/// What a JSON value is that is no text, number or null. Texts: a list of nothing else.
enum class NotText { Texts, List, Object, Boolean };
/// By row and column.
using NotTexts = std::map<std::pair<size_t, size_t>, NotText>;

/// The rows of a table, the header first, and which of its fields are no texts. Of a list of texts
/// the field has them with blanks between; all others' are empty.
struct ListRows {
    std::vector<CsvRow> rows;
    NotTexts notTexts = {};
};

/// A JSON object of utterances by their ID, a list of them, lines with one each (JSON lines, as
/// WeNet's data.list and NeMo's manifests), or a single one, in which no object is more than a file
/// with its places. "id" comes before the members in the header. A row's line is where its
/// utterance begins; an ID that is there twice has two rows. SpeechBrain's
/// "wav": {"file": …, "start": …, "stop": …} is the columns wav, wav.start and wav.stop. The error
/// names the line and what is no JSON or no utterance.
Result<ListRows> rowsOfJson(std::string_view text);

} // namespace earwright::data
