#pragma once

#include <span>
#include <string_view>

namespace kymo::check {

/// One kind of diagnostic, by the id it carries for good.
struct RuleInfo {
    const char* id; ///< "coverage-not-in-modules"
    const char* help; ///< one line: what it says of a recipe
};

/// Every rule there is, of the reader's (recipe/), the catalogue's, the checks' and the data
/// doctor's. SARIF's list of rules and the mutation run are made of it.
std::span<const RuleInfo> ruleTable();

/// Null where there is no such rule.
const RuleInfo* findRule(std::string_view id);

} // namespace kymo::check
