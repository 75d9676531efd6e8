#pragma once

#include <torch/nn/module.h>

// Tensors' names end in their shape, a letter a dimension: B rows of a batch, T frames (of a wave
// samples), F features that come in, D the width of hidden states, U places of target texts, V
// labels, 1 a dimension of size one. What else a letter means is told under "Shapes:" in its file
// or header, or beside the name.

namespace earwright::model {

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

} // namespace earwright::model
