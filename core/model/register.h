#pragma once

#include "core/model/layer_table.h"

namespace earwright::model {

/// The rows of this folder, one function a group.
void addActivations(LayerTable& table);
void addBasicLayers(
    LayerTable& table); ///< linear, convolution, normalisation, pooling, dropout, containers
void addRecurrentLayers(LayerTable& table);
void addFeatureLayers(LayerTable& table);
void addModels(LayerTable& table); ///< CRDNN, VanillaNN, ConvolutionFrontEnd, ConvEncoder

} // namespace earwright::model
