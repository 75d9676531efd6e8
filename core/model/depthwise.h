#pragma once

#include <torch/nn/modules/conv.h>

namespace earwright::model {

/// What `convolution`, whose groups are its channels, makes of [batch, channels, time].
torch::Tensor depthwise(torch::nn::Conv1dImpl& convolution, const torch::Tensor& x_BCT);

} // namespace earwright::model
