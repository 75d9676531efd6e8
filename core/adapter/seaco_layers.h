#pragma once

#include "core/adapter/recipe_text.h"

#include <string>
#include <vector>

namespace earwright::adapter {

/// Whether a setting of SeacoParaformer's model_conf is written with the layers below.
bool isOfSeacoLayers(const std::string& setting);

/// Writes what FunASR's SeacoParaformer makes of its settings and no section describes: `seaco_id`,
/// `inner_dim` and the layers bias_encoder, lstm_proj (where the bias encoder looks both ways) and
/// hotword_output_layer, whose sizes refer to `inner_dim` and `vocab_size`. What was given is
/// written before, and stays. Returns the layers' keys. `adapted`: the root of adapt().
std::vector<std::string> writeSeacoLayers(const recipe::Node& adapted, RecipeText& recipe);

} // namespace earwright::adapter
