#pragma once

#include "core/model/layer_table.h"

namespace earwright::model {

void addTransformerLayers(LayerTable& table); ///< TransformerASR, EncoderWrapper

} // namespace earwright::model
