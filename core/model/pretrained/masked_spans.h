#pragma once

#include "core/model/augment/random_source.h"
#include "core/model/pretrained/encoder_config.h"

namespace earwright::model {

/// Where training masks an axis of `size` in each row: bool [rows, size] on the CPU, true = masked.
/// lengths: of each row, at most `size`. A row gets share * its length / masking.length spans,
/// rounded up or down by one draw for all rows, at least masking.least, as far as they fit; their
/// starts are drawn without repeats, but spans may overlap. As upstream, a row too short for any
/// span gets its axis's last place masked.
/// Throws c10::Error where a span is longer than the axis. Source: `_compute_mask_indices` of
/// `transformers`.
torch::Tensor maskedSpans(const SpanMasking& masking, int64_t size,
    const std::vector<int64_t>& lengths, RandomSource& random);

/// What training hides of the frames that enter the layers, x_BTD -> [B, T, D]: masked frames
/// become `vector`, masked features 0. masked_BT: frames to mask instead, in evaluation too;
/// undefined: training draws them. frames_B: of each row, best on the CPU; undefined: all are full.
/// Nothing without applySpecAugment. Shapes: B rows, T frames, D width.
class FrameMasking final {
public:
    FrameMasking(const EncoderConfig& config, std::shared_ptr<RandomSource> random);
    torch::Tensor apply(torch::Tensor x_BTD, const torch::Tensor& frames_B,
        const torch::Tensor& masked_BT, bool isTraining) const;

    /// `masked_spec_embed` [D], for the encoder to register; undefined where nothing is masked.
    torch::Tensor vector;

private:
    torch::Tensor drawnFrames(const torch::Tensor& x_BTD, const torch::Tensor& frames_B) const;

    const EncoderConfig m_config;
    std::shared_ptr<RandomSource> m_random;
};

} // namespace earwright::model
