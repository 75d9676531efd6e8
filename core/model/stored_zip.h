#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace earwright::model {

/// The CRC-32 of each record by its name behind the archive's folder, "data/0"; 0 where none is
/// kept.
using RecordSums = std::map<std::string, uint32_t, std::less<>>;

/// Whether every record of a zip archive is no larger than the file and, but for a program's code,
/// uncompressed. LibTorch's reader inflates the record `version` as soon as it opens an archive, to
/// whatever size it says; this reads the archive's directory alone. The error is the reason alone.
///
/// An archive may be made to have two directories, of which readers take different ones. This takes
/// the one that miniz takes, which is in LibTorch; minizip would take another
/// (cases/model/torch/broken/two_directories.pt).
Result<RecordSums> verifyStored(const std::filesystem::path& file);

} // namespace earwright::model
