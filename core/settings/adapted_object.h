#pragma once

#include "core/recipe/node.h"

namespace earwright::settings {

/// The object of a resolved recipe that a speechbrain.nnet.adapters.AdaptedModel adapts
/// (`model_to_adapt`), through several of them; any other object is itself. Who asks what class a
/// layer is asks for this one's.
recipe::NodePtr adaptedObject(const recipe::NodePtr& object);

} // namespace earwright::settings
