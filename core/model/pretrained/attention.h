#pragma once

#include "core/model/pretrained/encoder_config.h"
#include "core/model/projection.h"

#include <torch/nn/module.h>

// Shapes: B rows, T frames, D width, H heads, E = D / H the width of one.

namespace earwright::model {

/// `attention` of an encoder's layer: heads over all frames that are no padding; children q_proj,
/// k_proj, v_proj, out_proj.
class EncoderAttention : public torch::nn::Module {
public:
    explicit EncoderAttention(const EncoderConfig& config);

    /// x_BTD -> [B, T, D]. isPadding_BT: bool; undefined: none is. distances_HTT: of
    /// distanceScores(), used by gated attention alone.
    virtual torch::Tensor forward(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT,
        const torch::Tensor& distances_HTT);

    /// What the scores of all layers get for how far frames are apart, [H, T, T]; undefined where
    /// the encoder has no such thing. Asked of the first layer.
    virtual torch::Tensor distanceScores(int64_t /*frames*/) const { return {}; }

protected:
    /// The same with what is added to the scores, [B, H, T, T] or undefined.
    torch::Tensor attend(const torch::Tensor& x_BTD, const torch::Tensor& isPadding_BT,
        const torch::Tensor& scores_BHTT);
    int64_t heads() const { return m_heads; }

private:
    int64_t m_heads;
    double m_dropout;
    Projection m_q;
    Projection m_k;
    Projection m_v;
    Projection m_out;
};

/// [B, T, D] split into `heads`: [B, H, T, E].
torch::Tensor headsOf(const torch::Tensor& x_BTD, int64_t heads);

/// What queries see of the values by their products with the keys over sqrt(E), plus scores_BHTT
/// (broadcastable, or undefined): [B, T, D]. `dropout`: of the weights. isPadding_BT: bool or
/// undefined.
torch::Tensor scoredAttention(const torch::Tensor& q_BHTE, const torch::Tensor& k_BHTE,
    const torch::Tensor& v_BHTE, const torch::Tensor& isPadding_BT,
    const torch::Tensor& scores_BHTT, double dropout);

/// WavLM's where the config says so; `isFirst`: of the encoder's first layer.
std::shared_ptr<EncoderAttention> makeEncoderAttention(const EncoderConfig& config, bool isFirst);

} // namespace earwright::model
