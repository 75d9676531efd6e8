#pragma once

#include <torch/types.h>

#include <array>
#include <string>

// Shapes: B rows, C channels, H by W of which one is time.

namespace earwright::model {

/// A conv2d and what is put around its input.
struct RoundedConvolution {
    torch::Tensor weight; ///< [out, in / groups, kernel over H, kernel over W]
    torch::Tensor bias;
    std::array<int64_t, 2> stride { 1, 1 };
    std::array<int64_t, 2> padding { 0, 0 }; ///< of zeros, behind the sides
    std::array<int64_t, 2> dilation { 1, 1 };
    int64_t groups = 1;
    std::array<int64_t, 4> sides {}; ///< left, right, above, below
    std::string mode = "reflect"; ///< of the sides: torch.nn.functional.pad's
    int64_t timeDim = 2; ///< 2 or 3
};

/// conv2d of the padded input, [batch, channels, H, W] in and out. See Note [Few lengths for
/// cuDNN]. Throws c10::Error where a reflected side is not shorter than its dimension.
torch::Tensor convolvedRounded(const torch::Tensor& x_BCHW, const RoundedConvolution& convolution);

/// `frames` and at most a sixteenth more (at least 8): so that few lengths are left.
int64_t roundedFrames(int64_t frames);

} // namespace earwright::model
