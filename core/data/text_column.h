#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace earwright::data {

/// One column of a CSV with a header, or one member of each utterance of a JSON manifest (by the
/// file's ending), in the file's order. Errors name the file and what it has instead.
Result<std::vector<std::string>> readTextColumn(
    const std::filesystem::path& file, const std::string& column);

/// The lines of a text file that are not empty.
Result<std::vector<std::string>> readLines(const std::filesystem::path& file);

} // namespace earwright::data
