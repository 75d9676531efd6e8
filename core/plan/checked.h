#pragma once

#include "core/check/check.h"
#include "core/plan/plan.h"

#include <optional>
#include <vector>

namespace earwright::plan {

struct Checked {
    std::optional<Plan> plan; ///< only where no diagnostic is an error
    std::vector<recipe::Diagnostic> diagnostics;
};

/// check::check() and, where it found no error, the Plan: nothing else makes one.
Checked checkRecipe(const check::Request& request, const check::Machine& machine);

} // namespace earwright::plan
