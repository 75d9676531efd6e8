#pragma once

#include "core/plan/plan.h"

#include <string>
#include <vector>

namespace earwright::plan {

/// Whether changes, as Revised has them, are of how the test searches.
bool changeTestSearch(const std::vector<std::string>& changes);

/// When a resume last changed how the test searches, in seconds since 1970: what was tested before
/// it was tested otherwise. 0 = none did; later than any test where the plan's time is none.
double testSearchTime(const Plan& plan);

} // namespace earwright::plan
