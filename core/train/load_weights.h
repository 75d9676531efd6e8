#pragma once

#include "core/base/result.h"
#include "core/train/task.h"

#include <map>
#include <string>
#include <vector>

namespace kymo::train {

/// Names that a file of weights and a task do not share.
struct Unmatched {
    std::vector<std::string> missing; ///< the task's, not in the file: they keep what was drawn
    std::vector<std::string> unexpected; ///< the file's, of which the task has none
};

/// For people: "; it has none of these, which are drawn: 'enc.w.weight' (it has 'enc.v.weight'),
/// seaco_decoder (131); these are not used: …". Names of a layer that is missing as a whole are
/// counted; of others the first are listed, each with the nearest name of the other list. "" where
/// all names match.
std::string describe(const Unmatched& unmatched);

/// Copies a checkpoint's model (Checkpoint::model) into a task's weights, buffers and extra state.
/// `what` names it in the error: a tensor that is not there, or of another shape. `unmatched` takes
/// the names that are on one side only; null: one that is missing is an error.
Status loadWeights(Task& task, std::map<std::string, torch::Tensor> stored, const std::string& what,
    Unmatched* unmatched = nullptr);

} // namespace kymo::train
