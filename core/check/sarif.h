#pragma once

#include "core/recipe/diagnostic.h"

#include <string>
#include <vector>

namespace earwright::check {

/// A SARIF 2.1.0 log (OASIS standard) with one run: the whole table of rules, a result for every
/// diagnostic with its region and its fixes. Columns count code points.
std::string diagnosticsToSarif(
    const std::vector<recipe::Diagnostic>& diagnostics, const std::string& version);

} // namespace earwright::check
