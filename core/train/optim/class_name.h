#pragma once

#include "core/catalog/catalog.h"
#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <string>
#include <string_view>
#include <vector>

namespace earwright::train {

using Diagnostics = std::vector<recipe::Diagnostic>;

/// The class that a recipe gives with `!new:` or `!name:`, as the catalogue names it.
inline std::string className(const recipe::Node& node)
{
    const std::string_view written
        = recipe::nameClass(node).empty() ? recipe::newClass(node) : recipe::nameClass(node);
    const catalog::ClassInfo* info = catalog::findClass(written);
    return info != nullptr ? info->name : std::string(written);
}

} // namespace earwright::train
