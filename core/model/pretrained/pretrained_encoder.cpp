#include "core/model/pretrained/pretrained_encoder.h"

#include "core/model/masks.h"
#include "core/model/pretrained/wave_normalization.h"

namespace earwright::model {

PretrainedEncoder::PretrainedEncoder(
    const catalog::PretrainedEncoderConfig& config, EncoderConfig encoder, bool normalizesWave)
    : PretrainedLayer(config)
    , m_normalizesWave(normalizesWave)
    , m_model(register_module("model",
          std::make_shared<WaveEncoder>(withMasking(std::move(encoder), config.applySpecAugment))))
{
    setUp(*m_model, m_model->config());
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
    input.keepHidden = config().outputAllHiddens;
    const torch::Tensor y = chosen(m_model->forward(input).layers);
    return config().outputNorm ? at::layer_norm(y, { y.size(-2), y.size(-1) }) : y;
}

} // namespace earwright::model
