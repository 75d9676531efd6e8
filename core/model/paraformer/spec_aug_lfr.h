#pragma once

#include "core/catalog/configs/wav_frontend.h"
#include "core/model/layer.h"

#include <functional>

namespace kymo::model {

/// funasr.models.specaug.specaug.SpecAugLFR: bands of mel bins, the same in each of the stacked
/// frames, and spans of frames are set to 0. As upstream: lengths are not looked at, a mask starts
/// below size - (the batch's widest mask), and lfr_rate is one less than the frames stacked.
class SpecAugLfr final : public Layer {
public:
    /// Whole numbers of [low, high) in this shape; torch::randint by default.
    using Draw = std::function<torch::Tensor(int64_t low, int64_t high, at::IntArrayRef shape)>;

    /// Throws c10::Error for apply_time_warp and for ranges that upstream refuses.
    explicit SpecAugLfr(const catalog::SpecAugLfrConfig& config, Draw draw = {});

    /// [batch, time, features], masked in training.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

private:
    struct Masks {
        int64_t low = 0;
        int64_t high = 0;
        int64_t count = 0;
        int64_t size = 0; ///< of the axis, or of one of its blocks
        int64_t blocks = 1;
    };
    torch::Tensor draw(const Masks& masks, int64_t rows, int64_t axis) const;
    Masks overTime(int64_t frames) const;

    catalog::SpecAugLfrConfig m_config;
    Draw m_draw;
};

} // namespace kymo::model
