#pragma once

#include <filesystem>
#include <string>

namespace earwright {

/// Why a file is none of a model's weights, where its first bytes tell what it is instead: "it is
/// empty: …", "it is a pointer of git-lfs, …", "it is a web page, …". "" for all else, a folder and
/// what cannot be read.
std::string whyNoWeights(const std::filesystem::path& file);

/// Whether a file is one of safetensors: a length of its header that fits into it, and the header's
/// '{'. Whoever tells kinds of files by their first bytes asks this first: the length may begin as
/// a zip archive ("PK") or a pickle (0x80) does, and in one file of 32 it begins as the latter.
bool looksLikeSafetensors(const std::filesystem::path& file);

} // namespace earwright
