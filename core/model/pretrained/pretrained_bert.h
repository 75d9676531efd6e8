#pragma once

#include "core/catalog/configs/pretrained.h"
#include "core/model/pretrained/bert_encoder.h"
#include "core/model/pretrained/mel_pairs.h"
#include "core/model/pretrained/pretrained_layer.h"

namespace earwright::model {

/// speechbrain.integrations.huggingface.w2v_bert.W2VBert: a BertEncoder of a folder of the Hub over
/// MelPairs. As upstream, output_norm is one of each frame's channels, and freeze_feature_extractor
/// is refused: there are no convolutions over the wave.
class PretrainedBert final : public PretrainedLayer {
public:
    /// Reads config.source. Throws c10::Error with what is wrong in the folder.
    explicit PretrainedBert(const catalog::PretrainedBertConfig& config);
    /// With weights as drawn.
    PretrainedBert(const catalog::PretrainedBertConfig& config, EncoderConfig encoder);

protected:
    /// Wave [B, N] of 16 kHz -> chosen().
    torch::Tensor encode(const torch::Tensor& wav_BN, const torch::Tensor& lengths_B) override;

private:
    PretrainedBert(const catalog::PretrainedBertConfig& config, const HubFolder& folder);

    std::shared_ptr<BertEncoder> m_model;
    MelPairs m_features;
};

} // namespace earwright::model
