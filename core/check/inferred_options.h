#pragma once

#include "core/check/check.h"

namespace earwright::check {

/// Sets the run options that upstream's scripts tie to other keys of the recipe, where nothing
/// gives them: `avg_checkpoints` and `max_key`. Their provenance becomes "inferred", with the
/// reason. To be called last of all that reads options: `findings.provenance` has an entry of each.
void inferOptions(const recipe::Node& root, Findings& findings);

} // namespace earwright::check
