#pragma once

#include "core/model/layer_table.h"

namespace earwright::model {

/// The rows of this folder.
void addAdaptedModels(LayerTable& table);

} // namespace earwright::model
