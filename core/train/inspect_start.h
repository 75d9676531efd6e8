#pragma once

#include "core/catalog/run_options.h"
#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <vector>

namespace earwright::train {

/// What only the built model and the files tell of a start: names of `freeze_param` and
/// `optim_param_groups` that no parameter has, weights of `init_param` that cannot be read or are
/// of another model, or lack statistics that nothing else gives, a max_key without a figure, and
/// what inspectSearches() tells. Rules freeze-param, optim-param-groups, initial-weights and
/// option-conflict, at their keys. The layers are built where one of these keys but max_key is
/// given; of a recipe that cannot be built, and of files that cannot be read, others tell.
std::vector<recipe::Diagnostic> inspectStart(
    const recipe::Node& recipe, const catalog::RunOptions& options);

} // namespace earwright::train
