#pragma once

#include "core/catalog/configs/paraformer.h"
#include "core/model/layer.h"
#include "core/model/paraformer/sanm_attention.h"
#include "core/model/projection.h"

#include <torch/nn/modules/normalization.h>

namespace earwright::model {

/// funasr.models.sanm.encoder.EncoderLayerSANM. Where it changes the width, attention has no
/// residual.
class SanmEncoderLayer final : public torch::nn::Module {
public:
    SanmEncoderLayer(
        const catalog::SanmEncoderConfig& config, int64_t inputs, double normEps = kSanmNormEps);
    torch::Tensor forward(const torch::Tensor& x_BTI, const torch::Tensor& valid_BT);

private:
    torch::Tensor attend(const torch::Tensor& x_BTI, const torch::Tensor& valid_BT);
    torch::Tensor feedForward(const torch::Tensor& x_BTD);

    bool m_normsBefore;
    bool m_hasResidual;
    double m_dropout;
    std::shared_ptr<SanmAttention> m_attention;
    Projection m_up = nullptr;
    Projection m_down = nullptr;
    torch::nn::LayerNorm m_norm1 = nullptr;
    torch::nn::LayerNorm m_norm2 = nullptr;
};

/// funasr.models.sanm.encoder.SANMEncoder: features [batch, time, input_size] times
/// sqrt(output_size) plus sinusoids, one layer that changes the width (encoders0), and num_blocks-1
/// more. Throws c10::Error for an input layer other than "pe".
class SanmEncoder final : public Layer {
public:
    explicit SanmEncoder(const catalog::SanmEncoderConfig& config);
    /// -> [batch, time, output_size]; padded frames are computed too, as upstream does.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    torch::Tensor encode(const torch::Tensor& x_BTF, const torch::Tensor& valid_BT);

private:
    double m_scale;
    std::vector<std::shared_ptr<SanmEncoderLayer>> m_layers;
    torch::nn::LayerNorm m_afterNorm = nullptr;
};

/// funasr's SinusoidalPositionEncoder, [1, time, depth]: positions start at 1, sines fill the first
/// half and cosines the second. Throws c10::Error for an odd depth.
torch::Tensor sinusoids(int64_t frames, int64_t depth, const torch::TensorOptions& options);

/// bool [batch, time]; all true where lengths are undefined. lengths_B: relative.
torch::Tensor validFrames(const torch::Tensor& lengths_B, const torch::Tensor& x_BTF);

} // namespace earwright::model
