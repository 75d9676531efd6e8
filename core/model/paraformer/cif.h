#pragma once

#include <optional>
#include <torch/types.h>

// Shapes: B rows, T encoder frames, D width, U tokens that fire.

namespace earwright::model {

/// What continuous integrate-and-fire gives (Dong and Xu 2020).
struct CifFrames {
    torch::Tensor embeds_BUD; ///< one weighted sum of frames for each token; 0 where none fired
    torch::Tensor peaks_BT; ///< the integral at each frame; a frame that fires has 1 or more
};

/// funasr.models.paraformer.cif_predictor.cif, frame by frame: weights are summed until they reach
/// `threshold`; the frame that does it is shared with the next token. Operations are done in
/// upstream's order, for the last token of a row fires or not by one rounding. hidden_BTD,
/// alphas_BT: float32 or float64. tokens: rows of the result; where it is not given it is the
/// largest rounded sum of alphas, which takes a read from the device.
CifFrames cif(const torch::Tensor& hidden_BTD, const torch::Tensor& alphas_BT, double threshold,
    std::optional<int64_t> tokens = {});

/// cif_v1: the same from cumulated sums, without a loop over time; the threshold is 1.
CifFrames cifFromSums(const torch::Tensor& hidden_BTD, const torch::Tensor& alphas_BT,
    std::optional<int64_t> tokens = {});

/// cif_wo_hidden: the integral at each frame, [batch, time].
torch::Tensor cifPeaks(const torch::Tensor& alphas_BT, double threshold);

} // namespace earwright::model
