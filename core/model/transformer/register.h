#pragma once

#include "core/model/layer_table.h"

namespace kymo::model {

void addTransformerLayers(LayerTable& table); ///< TransformerASR, EncoderWrapper

} // namespace kymo::model
