#pragma once

#include <filesystem>
#include <string>

namespace earwright::check::rules {

/// Of a file whose folder is not there: "the folder 'x' does not exist; …".
std::string isMissing(const std::filesystem::path& folder);

/// Of a file that is not in its folder, with the nearest name that is. `otherwise`: what to do
/// where no file of the folder has a name like it.
std::string isMissing(
    const std::filesystem::path& folder, const std::string& name, const std::string& otherwise);

} // namespace earwright::check::rules
