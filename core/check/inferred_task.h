#pragma once

#include "core/recipe/node.h"

#include <string>

namespace earwright::check {

/// Gives a resolved recipe that names no task the key `task` of the only one that its other keys
/// tell of. Nothing is added where none or several fit, or where upstream trains the recipe by a
/// script that no task does as.
void inferTask(recipe::Node& root);

/// Why the recipe has the task that inferTask() gave it; "" where something else names it.
std::string inferenceReason(const recipe::Node& root);

} // namespace earwright::check
