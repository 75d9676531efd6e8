#pragma once

#include <filesystem>
#include <string>

namespace kymo {

/// Why a file is none of a model's weights, where its first bytes tell what it is instead: "it is
/// empty: …", "it is a pointer of git-lfs, …", "it is a web page, …". "" for all else, a folder and
/// what cannot be read.
std::string whyNoWeights(const std::filesystem::path& file);

} // namespace kymo
