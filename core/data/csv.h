#pragma once

#include "core/base/result.h"

#include <functional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

struct CsvRow {
    int line = 0; ///< where the row begins, from 1
    std::vector<std::string> fields;
};

/// Comma-separated rows as Python's csv reads them with skipinitialspace (how SpeechBrain opens
/// manifests): quoted fields may hold commas, line ends and doubled quotes; blank rows are skipped;
/// a byte order mark is ignored. The error names the line: a quote never closed, a NUL byte.
Result<std::vector<CsvRow>> parseCsv(std::string_view text);

/// The same of each row by itself. It ends with the first error of `take`, and returns it. The row
/// is the taker's until it returns.
Status eachCsvRow(std::streambuf& text, const std::function<Status(CsvRow& row)>& take);

/// One row with its line end; fields are quoted only where reading them back needs it.
std::string formatCsvRow(const std::vector<std::string>& fields);

} // namespace earwright::data
