#include "core/model/pretrained/wave_encoder.h"

#include "core/model/pretrained/padding.h"

#include <torch/utils.h>

namespace earwright::model {

WaveEncoder::WaveEncoder(const EncoderConfig& config, std::shared_ptr<RandomSource> random)
    : m_config(config)
    , m_masking(config, std::move(random))
    , m_convolutions(
          register_module("feature_extractor", std::make_shared<WaveConvolutions>(config)))
    , m_projection(register_module("feature_projection",
          std::make_shared<FeatureProjection>(config.convWidths.back(), config)))
    , m_stack(register_module("encoder", std::make_shared<EncoderStack>(config)))
{
    TORCH_CHECK(config.family != EncoderFamily::Wav2Vec2Bert,
        "w2v-BERT encodes mel features, not the wave: it is given to W2VBert");
    if (m_masking.vector.defined())
        m_masking.vector = register_parameter("masked_spec_embed", m_masking.vector);
}

void WaveEncoder::freezeConvolutions()
{
    for (const torch::Tensor& parameter : m_convolutions->parameters())
        parameter.set_requires_grad(false);
}

WaveEncoder::Output WaveEncoder::forward(const Input& input)
{
    Output output;
    const FeatureProjection::Output projected
        = m_projection->forward(m_convolutions->forward(input.wav_BN));
    output.features_BTC = projected.normed_BTC;
    if (input.samples_B.defined())
        output.frames_B = m_convolutions->frames(input.samples_B);
    const torch::Tensor x_BTD
        = m_masking.apply(projected.hidden_BTD, output.frames_B, input.masked_BT, is_training());
    const torch::Tensor isPadding_BT = paddingOf(output.frames_B, x_BTD.size(1), x_BTD.device());
    output.layers = m_stack->forward(x_BTD, isPadding_BT, input.keepHidden);
    return output;
}

} // namespace earwright::model
