#pragma once

#include "core/base/result.h"
#include "core/recipe/node.h"
#include "core/train/optim/optimizer.h"

#include <string>
#include <utility>

namespace earwright::train {

using NamedParameters = std::vector<std::pair<std::string, torch::Tensor>>;

/// Whether a parameter is called so or lies below it: how `freeze_param` (FunASR's train.py) and
/// `optim_param_groups` mean a name. `*`, `?` and `[…]` stand for any letters, dots too, as in a
/// shell: `encoder.*.norm1`.
bool isNamed(const std::string& parameter, const std::string& wanted);

/// Those that the recipe's `freeze_param` names, separated by commas, ask for no gradient from now
/// on. The error names what no parameter is called, or says that none is left to train.
Status freeze(const std::string& freezeParam, const NamedParameters& parameters);
/// Whether a `freeze_param` names it.
bool isFrozen(const std::string& freezeParam, const std::string& parameter);

/// The parameters as the recipe divides them by `optim_param_groups` (NeMo's key): a mapping from a
/// name, as freeze_param has them, to `{lr: number}`. Of several names the longest that fits takes
/// a parameter, one without wildcards before any with. What none takes is the first group, at the
/// optimizer's own rate; without the key it is all. Errors name the entry: no trainable parameter
/// of that name, another setting than lr, an lr that is no positive number.
Result<std::vector<ParameterGroup>> parameterGroups(
    const recipe::Node& recipe, const NamedParameters& parameters);

} // namespace earwright::train
