#pragma once

#include <string>
#include <vector>

namespace kymo::check {

/// Of layers, keys or arguments.
using Names = std::vector<std::string>;

} // namespace kymo::check
