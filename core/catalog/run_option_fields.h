#pragma once

#include "core/catalog/field.h"

#include <vector>

namespace earwright::catalog {

/// The run options as fields: type, default, unit, range, choices, help. One for each member that
/// RunOptions::visit() names, in its order.
const std::vector<Field>& runOptionFields();

/// Null where there is no such option.
const Field* findRunOption(std::string_view name);

} // namespace earwright::catalog
