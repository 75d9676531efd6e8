#pragma once

#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::check {

/// What becomes of an object with trainable parameters: four facts, of sets that a recipe fills
/// independently of each other. Reachability is by identity of the node: a `!ref` shares it, and
/// whatever is below a reachable object is reachable.
struct Coverage {
    std::string key; ///< top-level key that holds it; "models[generator]" below a plain mapping
    std::string className; ///< "Linear"
    bool isKnown
        = true; ///< false: a class of nobody knows what, which may have no parameters at all
    recipe::NodePtr node;
    recipe::Span place; ///< of the key

    bool isDecoder = false; ///< a searcher or scorer with parameters that no other key names

    bool isMoved = false; ///< reachable from `modules`: moved to the device
    bool isOptimised = false; ///< reachable from `modules` or from a ModuleList that scripts hand
                              ///< to the optimizer (`hparams.model.parameters()`), and not frozen
    bool isCheckpointed = false; ///< reachable from the checkpointer's `recoverables`
    bool isWrapped = false; ///< by DDP: every entry of `modules` with parameters to train is

    /// Why it need not be trained, "" where it must: a fact of the recipe, never its name.
    std::string waiver; ///< "'pretrainer' loads it and no checkpoint holds it", "'freeze' is True"
    std::string moduleList; ///< a ModuleList outside `modules` that holds it, "" = none
};

/// One row for every top-level key that holds such objects, in the recipe's order.
std::vector<Coverage> coverageOf(const recipe::Node& root);

/// For people: a column a fact.
std::string coverageTable(const std::vector<Coverage>& coverage);

} // namespace earwright::check
