#pragma once

#include <string>

namespace earwright::train {

/// What names of an input normalisation's statistics begin with in a checkpoint, whatever
/// `modules` calls it.
inline const std::string kNormalizeState = "normalize.";

} // namespace earwright::train
