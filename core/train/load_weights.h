#pragma once

#include "core/base/result.h"
#include "core/train/task.h"

#include <map>
#include <string>
#include <vector>

namespace kymo::train {

/// Copies a checkpoint's model (Checkpoint::model) into a task's weights, buffers and extra state.
/// `what` names it in the error: a tensor that is not there, or of another shape. `missing` takes
/// the names that are not there; null: these are an error.
Status loadWeights(Task& task, std::map<std::string, torch::Tensor> stored, const std::string& what,
    std::vector<std::string>* missing = nullptr);

} // namespace kymo::train
