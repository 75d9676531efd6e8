#pragma once

#include <map>
#include <string>
#include <torch/nn/module.h>

namespace earwright::model {

/// The weights and buffers of a module as if none of its layers had an adapter: what LoRA adds to
/// a layer is part of its weight.
struct MergedWeights {
    std::map<std::string, torch::Tensor>
        tensors; ///< under the names before adapting; a shared layer's under its first
    size_t adapters = 0; ///< that were merged
};
/// Throws c10::Error where an adapter and its layer make no linear map (LinearAdapter::weight()).
MergedWeights mergedWeights(const torch::nn::Module& module);

/// Whether a layer of the module has an adapter that no weight stands for, HoulsbyAdapterLinear.
bool hasUnmergeable(const torch::nn::Module& module);

} // namespace earwright::model
