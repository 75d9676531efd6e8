#pragma once

#include "core/tasks/spec.h"

namespace earwright::tasks::ctc {

/// What of a recipe with k2's CTC loss cannot be trained, and what is done in another way than k2
/// does it: a sentence each. Nothing of other recipes.
void k2Rules(const Checked& recipe, settings::Diagnostics& found);

} // namespace earwright::tasks::ctc
