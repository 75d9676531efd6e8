#pragma once

#include "core/model/layer_table.h"

namespace earwright::model {

void addTransformerLayers(LayerTable& table); ///< TransformerASR, wav2vec 2.0

} // namespace earwright::model
