#pragma once

#include "core/recipe/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::settings {

/// A `!ref` or `!copy` as written: the key whose value it stands in, and what it names.
struct ReferenceUse {
    std::string path; ///< "opt_class.lr"; items of lists have their number, "speeds.0"
    std::string target; ///< "lr", "models.generator"
    recipe::Span span; ///< of the value
};

/// Every use in a tree as recipe::parse() gives it, in the file's order. A text with two references
/// is two uses.
std::vector<ReferenceUse> referenceUses(const recipe::Node& parsed);

/// Whether a reference names the key at the top, or what lies below it.
bool isReferred(const std::vector<ReferenceUse>& uses, std::string_view key);

} // namespace earwright::settings
