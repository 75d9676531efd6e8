#include "core/model/pretrained/pretrained_encoder.h"

#include "core/model/masks.h"
#include "core/model/pretrained/wave_normalization.h"

namespace earwright::model {

PretrainedEncoder::PretrainedEncoder(
    const catalog::PretrainedEncoderConfig& config, EncoderConfig encoder, bool normalizesWave)
    : PretrainedLayer(config.freeze)
    , m_config(config)
    , m_normalizesWave(normalizesWave)
    , m_model(register_module("model",
          std::make_shared<WaveEncoder>(withMasking(std::move(encoder), config.applySpecAugment))))
{
    if (config.applySpecAugment && !m_model->config().hasMaskVector())
        tell("apply_spec_augment masks nothing: mask_time_prob and mask_feature_prob of "
             "config.json are 0");
    freeze(*m_model);
    if (!config.freeze && config.freezeFeatureExtractor) {
        m_model->freezeConvolutions();
        tell("the convolutions of the pretrained encoder are frozen");
    }
}

PretrainedEncoder::PretrainedEncoder(
    const catalog::PretrainedEncoderConfig& config, const HubFolder& folder)
    : PretrainedEncoder(config, folder.config, folder.normalizesWave)
{
    takeWeights(*m_model, folder.weights, config.source);
}

PretrainedEncoder::PretrainedEncoder(const catalog::PretrainedEncoderConfig& config)
    : PretrainedEncoder(config, hubFolderOf(config.source, config.savePath))
{
}

torch::Tensor PretrainedEncoder::encode(const torch::Tensor& wav_BN, const torch::Tensor& lengths_B)
{
    WaveEncoder::Input input { wav_BN };
    if (lengths_B.defined())
        input.samples_B = frameCounts(lengths_B, wav_BN.size(1));
    if (m_normalizesWave)
        input.wav_BN = normalizedWithPadding(wav_BN);
    input.keepHidden = m_config.outputAllHiddens;
    const LayerOutputs layers = m_model->forward(input).layers;
    const torch::Tensor y
        = m_config.outputAllHiddens ? torch::stack(layers.hidden_BTD) : layers.last_BTD;
    return m_config.outputNorm ? at::layer_norm(y, { y.size(-2), y.size(-1) }) : y;
}

} // namespace earwright::model
