#pragma once

#include "core/model/pretrained/encoder_config.h"

#include <torch/nn/module.h>

// Shapes: B rows, T frames, D width.

namespace earwright::model {

/// `pos_conv_embed`: what is added to the frames to tell their order, a grouped convolution over
/// them. x_BTD -> [B, T, D].
class PositionalConvolution : public torch::nn::Module {
public:
    virtual torch::Tensor forward(const torch::Tensor& x_BTD) = 0;
};

/// wav2vec 2.0's: one wide convolution with weight norm, g of a length for each tap
/// (`conv.parametrizations.weight.original0`, v `…original1`; hub_weights.h reads the older names).
/// HuBERT may have a batch norm before a convolution without weight norm. data2vec's: several, each
/// with a norm without weights.
std::shared_ptr<PositionalConvolution> makePositionalConvolution(const EncoderConfig& config);

} // namespace earwright::model
