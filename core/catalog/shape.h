#pragma once

#include "core/recipe/node.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::catalog {

/// Sizes of what a layer gives for one frame: {80} features, {20, 32} features by channels; empty
/// where it is not known.
using FrameShape = std::vector<int64_t>;

/// What a layer takes and gives, told from its arguments alone.
struct FrameRule {
    recipe::NodePtr layer; ///< whose argument it is: a wrapper answers for what it wraps
    std::string argument; ///< "input_size", "input_shape", "idim" …; "" where none is given
    int64_t taken = 0; ///< features that the argument asks for; 0 = any
    int64_t arriving = 0; ///< of the input as this layer counts them; 0 = not known
    FrameShape input; ///< what arrives, else what the layer asks for; empty = not known
    FrameShape given;
};

/// The shape rule of a layer's class for [batch, time, …] inputs; a class without one gives an
/// unknown shape. Where the input is not known, what the layer asks for is taken to arrive. A
/// container gives what its last member gives. Checked against the layers themselves in tst_inspect
/// and against upstream's recorded outputs in tst_shape.
FrameRule frameRule(const recipe::NodePtr& layer, const FrameShape& input);

/// A class whose shape rule frameRule() knows, by any of its names.
bool hasShapeRule(std::string_view className);

/// Sequential and its like: its members in the order in which they run; none for other classes.
std::vector<recipe::Entry> membersOf(const recipe::Node& layer);

} // namespace earwright::catalog
