#pragma once

#include "core/recipe/node.h"

namespace earwright::check::rules {

/// The first key that belongs to a procedure of upstream's that no task is; null where none does.
const recipe::Entry* otherProcedure(const recipe::Node& root);

} // namespace earwright::check::rules
