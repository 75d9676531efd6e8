#pragma once

#include "core/model/layer_table.h"

namespace earwright::model {

void addLanguageModels(LayerTable& table); ///< RNNLM, TransformerLM

} // namespace earwright::model
