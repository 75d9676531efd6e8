#pragma once

#include "core/base/names.h"
#include "core/recipe/node.h"

namespace earwright::check {

/// Adds `test_beam_search` to a resolved recipe with `test_searcher: !name:` of a searcher over a
/// CTC output whose arguments are keys of the recipe, as AISHELL-1's script for CTC reads them:
/// `alpha`, `beam_size` and so on. Adds nothing beside a `test_beam_search`, or without a
/// `beam_size`.
void inferTestSearch(recipe::Node& root);

/// The keys that inferTestSearch() read; none where it added nothing.
Names inferredSearchKeys(const recipe::Node& root);

} // namespace earwright::check
