#pragma once

#include "core/catalog/field.h"

#include <vector>

namespace earwright::tasks {

/// The run options as fields: type, default, unit, range, choices, help. One for each member that
/// RunOptions::visit() names, in its order.
const std::vector<catalog::Field>& runOptionFields();

/// Null where there is no such option.
const catalog::Field* findRunOption(std::string_view name);

} // namespace earwright::tasks
