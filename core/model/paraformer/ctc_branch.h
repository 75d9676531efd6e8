#pragma once

#include "core/catalog/configs/paraformer.h"
#include "core/model/layer.h"
#include "core/model/projection.h"

namespace earwright::model {

/// funasr.models.ctc.ctc.CTC: dropout and one linear layer, `ctc_lo`. Upstream drops out while it
/// evaluates too. Throws c10::Error without extra_linear and for warpctc.
class CtcBranch final : public Layer {
public:
    explicit CtcBranch(const catalog::FunasrCtcConfig& config);
    /// [B, T, encoder_output_size] -> logits [B, T, odim].
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    /// The same without dropout, in training too.
    torch::Tensor scores(const torch::Tensor& x_BTD) { return m_linear(x_BTD); }

private:
    double m_dropout;
    Projection m_linear = nullptr;
};

} // namespace earwright::model
