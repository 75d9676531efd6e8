#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace earwright::data {

/// Sorted: the order in which a folder lists its files differs from machine to machine. Without
/// "._x", what macOS packs beside a file x. None where there is no such folder.
std::vector<std::filesystem::path> sortedEntries(const std::filesystem::path& folder);

/// `folder`, or its subfolder `name` where that is there: users name either.
std::filesystem::path rootOf(const std::filesystem::path& folder, const std::string& name);

/// The other folder that users may name for it: its subfolder `name`, and of that the one that
/// holds it. "" where there is none.
std::filesystem::path otherRootOf(const std::filesystem::path& folder, const std::string& name);

/// A folder's own name, however it is reached: "b" of "a/b/" and of "a/b/c/..".
std::string nameOf(const std::filesystem::path& folder);

/// "ID the rest" of a line: Kaldi's tables, LibriSpeech's transcripts. Parted by the first blank or
/// tab; both trimmed, the rest may be empty.
std::pair<std::string, std::string> idAndRest(std::string_view line);

} // namespace earwright::data
