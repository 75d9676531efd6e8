#pragma once

#include "core/recipe/node.h"

#include <string>
#include <vector>

namespace earwright::language {

enum class Change { Added, Removed, Changed };

/// One setting that two recipes have otherwise, after resolution.
struct Difference {
    Change change = Change::Changed;
    std::string path; ///< "enc.dropout", "modules.ctc_lin"
    std::string left; ///< as resolved, "" where it is not there
    std::string right;
    recipe::Span leftSpan;
    recipe::Span rightSpan;
};

/// In the left recipe's order, what only the right one has last. Keys by name whatever their order,
/// lists by position; numbers equal in value are equal (1e-3 and 0.001); objects shared or repeated
/// make no difference. Top-level keys that begin with "__" are no settings and are left out. An
/// object of another class is told as its tag, its arguments one by one.
std::vector<Difference> differences(const recipe::Node& left, const recipe::Node& right);

} // namespace earwright::language
