#pragma once

#include <string>
#include <vector>

namespace earwright {

/// Of layers, keys or arguments.
using Names = std::vector<std::string>;

} // namespace earwright
