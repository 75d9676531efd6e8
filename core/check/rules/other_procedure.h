#pragma once

#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::check::rules {

/// A key that belongs to what upstream trains by a script that Earwright has no task for.
struct OtherPart {
    const recipe::Entry* entry;
    std::string procedure; ///< "a transducer"
};

/// Those of a recipe, one a procedure; none where a task may fit. A pretrained model counts where
/// it is among `modules`, or where the recipe has none: a frozen teacher beside them does not.
/// Beside a `task` that the recipe names count such models, a transducer and a decoder of RNNs
/// alone.
std::vector<OtherPart> otherProcedure(const recipe::Node& root);

} // namespace earwright::check::rules
