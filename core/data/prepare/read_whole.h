#pragma once

#include "core/data/prepare/go_on.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// What reading a file to its end tells of it.
struct WholeFile {
    std::string sum = {}; ///< SHA-256; "" of what cannot be read
    std::string damage = {}; ///< why it is no sound to its end; "" where it is
};
/// By path.
using WholeFiles = std::map<std::string, WholeFile>;

/// Reads every byte, and decodes what is compressed or of floating-point numbers (ProvenSounds), on
/// several threads. Nothing where `goOn` ended it.
std::optional<WholeFiles> readWhole(const std::vector<std::string>& files, const GoOn& goOn);

} // namespace earwright::data
