#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace kymo::data {

/// The text of a file, without a byte order mark. The error names the path and, of bytes that are
/// no UTF-8, which would become letters of no alphabet, the line and what to try.
Result<std::string> readText(const std::filesystem::path& path);

/// The same of a text that was read from `path`.
Status checkText(std::string_view text, const std::filesystem::path& path);

} // namespace kymo::data
