#pragma once

#include "core/data/csv.h"

namespace kymo::data {

/// A JSON object of utterances by their ID, a list of them, or lines with one each (JSON lines, as
/// WeNet's data.list and NeMo's manifests), as the rows of a table: the header first, "id" before
/// the members. A row's line is where its utterance begins; an ID that is there twice has two rows.
/// Members that are neither text nor number are empty. The error names the line and what is no JSON
/// or no utterance.
Result<std::vector<CsvRow>> rowsOfJson(std::string_view text);

} // namespace kymo::data
