#pragma once

#include <string>
#include <torch/types.h>
#include <utility>
#include <vector>

namespace earwright::train {

/// What to say of parameters that get no gradient in a step and for which the ranks would wait:
/// each by name and bytes, and the two remedies with what each costs. `gradients` are those of
/// `parameters`, undefined where there is none. "" where all have one.
std::string reportUnused(const std::vector<std::pair<std::string, torch::Tensor>>& parameters,
    const std::vector<torch::Tensor>& gradients);

/// The same where nobody waits for them.
std::string mentionUnused(const std::vector<std::pair<std::string, torch::Tensor>>& parameters,
    const std::vector<torch::Tensor>& gradients);

} // namespace earwright::train
