#pragma once

#include "core/catalog/shape.h"

#include <map>
#include <string_view>

namespace earwright::catalog {

/// What a layer gives for a frame: from its arguments alone where the input is empty (not known).
using Give = FrameShape (*)(const recipe::Node& layer, const FrameShape& input);

struct ShapeRule {
    Give give = nullptr;
    std::string_view sizeArgument = {}; ///< what tells the input's size before `input_size` does
};

/// By the class's own name, never an alias.
using ShapeRules = std::map<std::string_view, ShapeRule>;

/// The rules of the table, one function for each family; they look at no other.
void addConvolutionShapes(ShapeRules& rules); ///< convolutions, pooling, CRDNN
void addLinearShapes(ShapeRules& rules); ///< linear layers, embeddings, what keeps the shape
void addRecurrentShapes(ShapeRules& rules);
void addTransformerShapes(ShapeRules& rules);
void addFeatureShapes(ShapeRules& rules); ///< features, their normalisation and augmentation
void addFunasrShapes(ShapeRules& rules); ///< FunASR's and WeNet's

/// A give() that keeps the shape.
FrameShape same(const recipe::Node& layer, const FrameShape& input);

} // namespace earwright::catalog
