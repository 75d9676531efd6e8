#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace earwright {

/// Why the bytes of a file are no text that can be read, by how they begin, and what makes one of
/// them: "is UTF-16; 'iconv -f UTF-16 -t UTF-8 a.csv > FILE' makes it UTF-8", "is packed by gzip;
/// …".
/// "" where they may be one. `name`: the file's, for the command.
std::string whyNoText(std::string_view bytes, std::string_view name);

/// The whole file as bytes, which may be text; the error names the path: as readFile(), or why not.
Result<std::string> readTextFile(const std::filesystem::path& path);

} // namespace earwright
