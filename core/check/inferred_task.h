#pragma once

#include "core/recipe/node.h"

#include <string>

namespace earwright::check {

/// Adds `task` to a resolved recipe that names none (that of MEDIA's recipes is the corpus's),
/// where its keys point to exactly one. Adds nothing where none or several fit, or where upstream
/// trains it by a script that no task follows.
void inferTask(recipe::Node& root);

/// Why the recipe has the task that inferTask() gave it; "" where something else names it.
std::string inferenceReason(const recipe::Node& root);

} // namespace earwright::check
