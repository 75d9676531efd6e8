#pragma once

#include "core/data/batching.h"
#include "core/plan/plan.h"

#include <string>
#include <utility>
#include <vector>

namespace earwright::train {

/// A setting of the recipe by its dotted path, and the value it is to have.
using Setting = std::pair<std::string, std::string>;

/// The settings with which no batch of a run is larger than one of `parts` parts of it, and a step
/// takes as many utterances: the batch's size and grad_accumulation_factor. Where the
/// recipe refers to another key for the size (`batch_size: !ref <batch_size>`), that one.
std::vector<Setting> smallerBatches(
    const plan::Plan& plan, const data::Batching& batching, int64_t parts);

} // namespace earwright::train
