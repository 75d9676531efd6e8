#pragma once

#include <map>
#include <string>
#include <string_view>
#include <torch/types.h>

namespace earwright::model {

// Upstream's LiGRU keeps 16000 dropout masks of each layer in its state_dict, `rnn.0.drop_masks`.
// Earwright draws masks when it needs them: its models and checkpoints have none.

/// Whether it is the name of such masks in a file.
bool isDropMasks(std::string_view name);

/// Adds those of every LiGRU layer among the tensors, for upstream's class to load them strictly.
/// All ones, which is what dropout 0 makes of them: no evaluation reads them, and a training draws
/// them anew with its first batch that has not the number of rows the class was made for.
void addDropMasks(std::map<std::string, torch::Tensor>& model);

} // namespace earwright::model
