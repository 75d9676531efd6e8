#pragma once

#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace kymo::check {

/// What becomes of an object with trainable parameters: three sets that a recipe fills
/// independently.
struct Coverage {
    std::string key; ///< top-level key that holds it
    std::string className; ///< "Linear"
    bool isKnown
        = true; ///< false: a class of nobody knows what, which may have no parameters at all
    recipe::NodePtr node;
    bool isMoved = false; ///< reachable from `modules`: moved to the device and trained
    bool isCheckpointed = false; ///< reachable from `checkpointer.recoverables`
    bool isEvaluationOnly = false; ///< only loaded by `pretrainer`, or named frozen
    std::string moduleList; ///< a torch.nn.ModuleList outside `modules` that holds it, "" = none
};

/// One row for every top-level key that holds such objects, in the recipe's order. Reachability is
/// by identity of the node: a `!ref` shares it, and whatever is below a reachable object is
/// reachable.
std::vector<Coverage> coverageOf(const recipe::Node& root);

} // namespace kymo::check
