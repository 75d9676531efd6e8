#pragma once

#include "core/base/result.h"
#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <memory>
#include <torch/torch.h>
#include <vector>

namespace kymo::model {

/// A piece of a recogniser. Children, parameters and buffers carry upstream's state_dict names.
class Layer : public torch::nn::Module {
public:
    /// input: whatever the layer documents, usually [batch, time, features]. lengths_B: relative
    /// lengths in (0, 1] as SpeechBrain passes them, undefined where the layer does not use them.
    virtual torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) = 0;
    /// An encoder that upstream's scripts tell the lengths, for it to hide padding. Not a recurrent
    /// one: it takes lengths too, but is called without.
    virtual bool hidesPadding() const { return false; }
};

/// Builds the layer of a resolved `!new:` node from the catalogue's typed config. Null with a
/// diagnostic at the node where the class is not one that Kymo can build or its arguments do not
/// fit. Throws nothing of its own; LibTorch may throw c10::Error. The same Node must be built once:
/// identity in the recipe is identity of the module (see LayerSet).
std::shared_ptr<Layer> makeLayer(
    const recipe::Node& node, std::vector<recipe::Diagnostic>& diagnostics);

} // namespace kymo::model
