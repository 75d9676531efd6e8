#pragma once

#include "core/model/layer_table.h"

namespace earwright::model {

/// The rows of this folder, and torch.nn.Linear and LSTM, which SeACo is built of.
void addParaformerLayers(LayerTable& table);

} // namespace earwright::model
