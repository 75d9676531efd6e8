#pragma once

#include "core/adapter/recipe_text.h"

#include <string>

namespace earwright::adapter {

/// Writes the torch.nn.Embedding that FunASR's SenseVoiceSmall makes itself and no section
/// describes: what its encoder is told, as wide as the features that it takes. Returns its key.
std::string writeQueryTable(RecipeText& recipe);

} // namespace earwright::adapter
