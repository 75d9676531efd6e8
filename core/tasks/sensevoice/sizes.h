#pragma once

#include "core/tasks/spec.h"

namespace earwright::tasks::sensevoice {

/// Rule: the CTC layer reads what the encoder gives, and the table of queries has a row for each,
/// as wide as the features that the encoder takes. Layers of another class are left out.
void sizes(const Checked& recipe, settings::Diagnostics& found);

/// Rule: the blank is one of the CTC layer's outputs.
void blank(const Checked& recipe, settings::Diagnostics& found);

} // namespace earwright::tasks::sensevoice
