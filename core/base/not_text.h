#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace earwright {

/// How many of a file's first bytes whyNoText() looks at.
constexpr size_t kNotTextBytes = 512;

/// Why the bytes of a file are no text that can be read, by how they begin, and what makes one of
/// them: "is UTF-16; 'iconv -f UTF-16 -t UTF-8 a.csv > FILE' makes it UTF-8", "is packed by gzip;
/// …", "is a Parquet table; …".
/// "" where they may be one. `name`: the file's, for the command.
std::string whyNoText(std::string_view bytes, std::string_view name);

/// By which program a file is packed, whatever is in it: "is packed by gzip; 'gunzip -c a.wav.gz >
/// FILE' unpacks it". "" where it is not, or cannot be read.
std::string whyPacked(const std::filesystem::path& path);

/// The whole file as bytes, which may be text; the error names the path: as readFile(), or why not.
Result<std::string> readTextFile(const std::filesystem::path& path);

} // namespace earwright
