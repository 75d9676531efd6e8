#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::data {

/// The text of a file, without a byte order mark. The error names the path and, of bytes that are
/// no UTF-8, which would become letters of no alphabet, the line and what to try.
Result<std::string> readText(const std::filesystem::path& path);

/// The same of a text that was read from `path`.
Status checkText(std::string_view text, const std::filesystem::path& path);

/// What a line of a table has behind its ID (idAndRest()).
struct TableRow {
    std::string rest;
    int line = 0; ///< from 1
};
using Table = std::map<std::string, TableRow>;

/// A table of Kaldi's. Lines with an ID that was there before go to `repeated`, as "ID, line 3 of
/// FILE". wav.scp may have paths in whatever bytes their file system has; of others as readText().
Result<Table> readTable(const std::filesystem::path& file, std::vector<std::string>& repeated);

} // namespace earwright::data
