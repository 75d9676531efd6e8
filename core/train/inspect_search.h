#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <vector>

namespace earwright::train {

/// What only the files tell of a recipe's `valid_search` and `test_search`: language models whose
/// weights cannot be read or are of another model, n-grams that cannot be opened. Rule search, at
/// the file's name; of the test a warning, since the training runs without it. Of a search that
/// cannot be run as it is written, and of files that are not here, the check of the recipe tells.
void inspectSearches(const recipe::Node& recipe, std::vector<recipe::Diagnostic>& found);

} // namespace earwright::train
