#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::recipe {

struct Parsed {
    NodePtr root; ///< null where the text does not parse
    std::vector<Diagnostic> diagnostics; ///< rules: syntax, duplicate-key, too-deep, too-large,
                                         ///< invisible-character
};

/// Text -> tree with spans; merges (`<<`) applied, aliases shared, tags kept as written. Never
/// throws. Limits: depth 100, 200,000 nodes counted with their aliases expanded. `key`: whose value
/// the text is, which says what may stand in it (invisible.h).
Parsed parse(std::string_view text, const std::string& fileName, const std::string& key = {});

} // namespace earwright::recipe
