#pragma once

#include "core/base/result.h"
#include "core/train/task/task.h"
#include "core/train/task/unmatched.h"

#include <map>
#include <string>

namespace earwright::train {

/// Copies a checkpoint's model (Checkpoint::model) into a task's weights, buffers and extra state.
/// `what` names it in the error: tensors that are not there, or of another shape. `unmatched` takes
/// the names that are on one side only or have another shape, which are an error where it is null.
Status loadWeights(Task& task, std::map<std::string, torch::Tensor> stored, const std::string& what,
    Unmatched* unmatched = nullptr);

} // namespace earwright::train
