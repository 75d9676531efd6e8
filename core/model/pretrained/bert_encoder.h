#pragma once

#include "core/model/pretrained/bert_adapter.h"
#include "core/model/pretrained/bert_layer.h"
#include "core/model/pretrained/encoder_stack.h"
#include "core/model/pretrained/masked_spans.h"
#include "core/model/pretrained/wave_convolutions.h"

// Shapes: B rows, T frames, F features, D width.

namespace earwright::model {

/// w2v-BERT 2.0 over mel features, as Wav2Vec2BertModel of `transformers` is computed and its
/// weights are named. Source: Barrault et al. 2023 (Seamless), section 3.2.1.
class BertEncoder final : public torch::nn::Module {
public:
    /// Throws c10::Error where the config is of another family.
    explicit BertEncoder(const EncoderConfig& config,
        std::shared_ptr<RandomSource> random = std::make_shared<RandomSource>());

    /// frames_B: of each row, int64, best on the CPU; undefined: all rows are full.
    LayerOutputs forward(const torch::Tensor& features_BTF, const torch::Tensor& frames_B = {},
        bool keepHidden = false);

    const EncoderConfig& config() const { return m_config; }

private:
    const EncoderConfig m_config;
    FrameMasking m_masking;
    std::shared_ptr<FeatureProjection> m_projection;
    std::vector<std::shared_ptr<BertLayer>> m_layers;
    std::shared_ptr<EncoderFeedForward> m_networkBehind; ///< null without
    std::shared_ptr<BertAdapter> m_adapter; ///< null without
};

} // namespace earwright::model
