#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earwright::language {

/// A comment that heads a part of a recipe.
struct Banner {
    int line = 0; ///< of its last line, from 1
    std::string title; ///< "Training Parameters"
};

/// "##### Title #####", "# ---- Title ---- #", a title between rules, and a short comment that
/// stands alone between a blank line and a key. Comments that say a sentence or hold a
/// commented-out key are none.
std::vector<Banner> bannersOf(std::string_view text);

} // namespace earwright::language
