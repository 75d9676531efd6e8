#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace earwright::data {

/// The text of a file, unpacked where it is a .gz. The error names the path.
Result<std::string> readMaybeGzip(const std::filesystem::path& path);

} // namespace earwright::data
