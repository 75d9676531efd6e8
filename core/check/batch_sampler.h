#pragma once

#include "core/recipe/node.h"

#include <string>

namespace earwright::check {

/// The section of a resolved recipe that makes the batches of a split ("train", "valid", "test") by
/// their length, as upstream's recipes call it: "dynamic_batch_sampler_valid"; "" where none is in
/// use.
std::string batchSampler(const recipe::Node& recipe, const std::string& split);

} // namespace earwright::check
