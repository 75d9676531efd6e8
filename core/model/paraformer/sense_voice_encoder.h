#pragma once

#include "core/catalog/configs/sense_voice.h"
#include "core/model/paraformer/sanm_encoder.h"

namespace earwright::model {

/// funasr.models.sense_voice.model.SenseVoiceEncoderSmall: a SANM encoder (features times
/// sqrt(output_size) plus sinusoids, encoders0, encoders, after_norm), then tp_encoders and
/// tp_norm, which is there without any tp_encoders too. The eps of all norms is 1e-5. Upstream
/// scales its caller's features in place; here they stay.
class SenseVoiceEncoder final : public Layer {
public:
    /// Throws c10::Error where attention_heads do not divide output_size.
    explicit SenseVoiceEncoder(const catalog::SenseVoiceEncoderConfig& config);
    /// -> [batch, time, output_size]; padded frames are computed too, as upstream does. Throws
    /// c10::Error for an odd number of features.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    torch::Tensor encode(const torch::Tensor& x_BTF, const torch::Tensor& valid_BT);

private:
    using Layers = std::vector<std::shared_ptr<SanmEncoderLayer>>;

    double m_scale;
    Layers m_layers;
    Layers m_laterLayers;
    torch::nn::LayerNorm m_afterNorm = nullptr;
    torch::nn::LayerNorm m_laterNorm = nullptr;
};

} // namespace earwright::model
