#pragma once

#include "core/run/snapshot.h"

#include <string>

namespace earwright::run {

/// Every logged point, in the order of the curves: tag,step,wall_time,value, with a header; tags as
/// sheetText().
std::string pointsAsCsv(const Snapshot& snapshot);

} // namespace earwright::run
