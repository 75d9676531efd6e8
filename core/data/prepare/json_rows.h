#pragma once

#include "core/data/csv.h"

namespace kymo::data {

/// A JSON object of utterances by their ID, or a list of them, as the rows of a table: the header
/// first, "id" before the members in order of appearance. A row's line is where its utterance is
/// named in an object, its number in a list. Members that are neither text nor number are empty.
/// The error names what is no utterance.
Result<std::vector<CsvRow>> rowsOfJson(std::string_view text);

} // namespace kymo::data
