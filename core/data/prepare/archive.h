#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace earwright::data {

/// Writes the files of a .tar or .tar.gz below `folder`, folders as they need. Errors: an archive
/// that is damaged or cut short, a name that leads out of the folder, a link, a disk that is full;
/// what was written until then stays.
Status unpack(const std::filesystem::path& archive, const std::filesystem::path& folder);

} // namespace earwright::data
