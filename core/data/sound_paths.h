#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace earwright::data {

/// An augmentation's `replacements`: "data_root" -> a folder, for paths that begin with $data_root.
std::map<std::string, std::string> replacementsOf(const recipe::NodePtr& node);

/// Endings that the sounds of a folder are known by, as ".wav"; a sound named by itself may have
/// any.
const std::vector<std::string>& soundEndings();
/// Whether it has one of them, in letters of any case.
bool isSound(const std::filesystem::path& file);

/// The sounds that a CSV manifest lists in its column "wav": noises, impulse responses. Errors name
/// file and line: no such file, no column "wav", an empty path, a sound that is not there, a sound
/// that cannot be read, no row.
Result<std::vector<std::string>> readSoundPaths(
    const std::filesystem::path& csv, const std::map<std::string, std::string>& replacements);

} // namespace earwright::data
