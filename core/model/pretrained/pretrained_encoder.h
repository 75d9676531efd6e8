#pragma once

#include "core/catalog/configs/pretrained.h"
#include "core/model/pretrained/pretrained_layer.h"
#include "core/model/pretrained/wave_encoder.h"

namespace earwright::model {

/// speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2, hubert.HuBERT and wavlm.WavLM, and
/// their older names: a WaveEncoder of a folder of the Hub.
///
/// As upstream: waves are normalised with their padding (eps 1e-5), where the folder's do_normalize
/// says so, and output_norm is one of all frames and channels of a row, with its padding. Upstream
/// keeps frozen convolutions in evaluation until training begins; they have no dropout and no batch
/// norm, so their mode makes no difference.
class PretrainedEncoder final : public PretrainedLayer {
public:
    /// Reads config.source. Throws c10::Error with what is wrong in the folder.
    explicit PretrainedEncoder(const catalog::PretrainedEncoderConfig& config);
    /// With weights as drawn.
    PretrainedEncoder(
        const catalog::PretrainedEncoderConfig& config, EncoderConfig encoder, bool normalizesWave);

    WaveEncoder& model() { return *m_model; }

protected:
    /// Wave [B, N] -> chosen(). lengths_B: best on the CPU; undefined: attention sees the padding.
    torch::Tensor encode(const torch::Tensor& wav_BN, const torch::Tensor& lengths_B) override;

private:
    PretrainedEncoder(const catalog::PretrainedEncoderConfig& config, const HubFolder& folder);

    bool m_normalizesWave;
    std::shared_ptr<WaveEncoder> m_model;
};

} // namespace earwright::model
