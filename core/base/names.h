#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace earwright {

/// Of layers, keys or arguments.
using Names = std::vector<std::string>;

inline bool contains(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace earwright
