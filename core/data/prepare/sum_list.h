#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace earwright::data {

/// SHA-256 by path.
using Sums = std::map<std::string, std::string>;

/// What a list says, and a line for the notes on what of it cannot be read; "" where all can.
struct SumList {
    Sums sums = {}; ///< by absolute, normal path
    std::string note = {};
};

/// Of lines as `sha256sum`, `sha256sum --tag` and BSD write them. Paths are relative to `folder`;
/// empty lines and comments are passed over.
SumList parseSums(
    std::string_view text, const std::filesystem::path& file, const std::filesystem::path& folder);

} // namespace earwright::data
