#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kymo::data {

/// An augmentation's `replacements`: "data_root" -> a folder, for paths that begin with $data_root.
std::map<std::string, std::string> replacementsOf(const recipe::NodePtr& node);

/// The sounds that a CSV manifest lists in its column "wav": noises, impulse responses. Errors name
/// file and line: no such file, no column "wav", an empty path, a sound that is not there, no row.
Result<std::vector<std::string>> readSoundPaths(
    const std::filesystem::path& csv, const std::map<std::string, std::string>& replacements);

} // namespace kymo::data
