#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::recipe {

/// One setting from the command line or the window.
struct Override {
    std::vector<std::string> path; ///< {"train_conf", "find_unused_parameters"}
    NodePtr value;
    std::string text; ///< as typed, for messages and provenance
    Origin origin = Origin::Override; ///< Option for a dedicated option such as --precision
};

/// Accepts `--a.b=3`, `a.b=3`, `++a.b=3`, `--a 3` (two words) and `--a "{b: 3}"`; values are YAML
/// (`--p=a=b` is the string "a=b"). The error names the word that cannot be read.
Result<std::vector<Override>> parseOverrides(const std::vector<std::string>& words);

} // namespace earwright::recipe
