#pragma once

#include "core/model/layer_table.h"

namespace earwright::model {

/// The rows of this folder, and torch.nn.Embedding, Linear and LSTM, of which
/// SenseVoice and SeACo are built.
void addParaformerLayers(LayerTable& table);

} // namespace earwright::model
