#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kymo::check {

/// The keys, of a recipe or of its `modules`, whose layers a task runs; those that are names of one
/// thing stand in a row, the first of them by preference. None of a task that is not known.
const std::vector<std::string>& layerKeys(std::string_view task);

} // namespace kymo::check
