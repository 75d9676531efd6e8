#pragma once

#include <string>

namespace earwright {

/// What Earwright was called before. Files that say so still open; none is written.
inline const std::string kEarlierName = "kymo";

} // namespace earwright
