#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace kymo::model {

/// Whether every record of a zip archive is no larger than the file and, but for a program's code,
/// uncompressed. LibTorch's reader inflates the record `version` as soon as it opens an archive, to
/// whatever size it says; this reads the archive's directory alone. The error is the reason alone.
///
/// An archive may be made to have two directories, of which readers take different ones. This takes
/// the one that miniz takes, which is in LibTorch; minizip would take another
/// (cases/model/torch/broken/two_directories.pt).
Status verifyStored(const std::filesystem::path& file);

} // namespace kymo::model
