#pragma once

#include "core/recipe/diagnostic.h"

#include <span>
#include <string_view>
#include <vector>

namespace earwright::check {

/// One kind of diagnostic, by the id it carries for good.
struct RuleInfo {
    const char* id; ///< "coverage-not-in-modules"
    const char* help; ///< one line: what it says of a recipe
};

/// Every rule there is, of the reader's (recipe/), the catalogue's, the checks' and the data
/// doctor's. SARIF's list of rules and the mutation run are made of it.
std::span<const RuleInfo> ruleTable();

/// Nothing, but in a build with EARWRIGHT_MUTATE: there it takes away the diagnostics of the rule
/// that the environment's EARWRIGHT_DISABLE names, so that `tests/mutate.sh` can see whether a test
/// minds.
void dropDisabledRules(std::vector<recipe::Diagnostic>& diagnostics);

/// Null where there is no such rule.
const RuleInfo* findRule(std::string_view id);

} // namespace earwright::check
