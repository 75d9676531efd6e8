#pragma once

#include "core/check/context.h"

namespace earwright::check::rules {

/// argument-type: an argument of the layer that is a class (`activation`, `norm`, `rnn_class`) is
/// null, a text without `!name:`, or a class that the layer cannot be built of. Those that are not
/// known or not trained anywhere are other rules'.
void classArguments(const Context& context, const recipe::Node& layer, Diagnostics& found);

} // namespace earwright::check::rules
