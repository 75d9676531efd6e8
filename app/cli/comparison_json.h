#pragma once

#include "app/cli/run_comparison.h"

#include <string>

namespace earwright::cli {

/// All that is known of compared runs, as `earwright compare --runs … --format json` prints it.
/// What is not known is null.
std::string comparisonJson(const RunComparison& comparison);

} // namespace earwright::cli
