#pragma once

#include "core/model/pretrained/encoder_stack.h"
#include "core/model/pretrained/masked_spans.h"
#include "core/model/pretrained/wave_convolutions.h"

// Shapes: B rows, N samples, T frames, C channels of the last convolution, D width.

namespace earwright::model {

/// wav2vec 2.0 (XLS-R and MMS too), HuBERT, WavLM or data2vec audio, as Wav2Vec2Model, HubertModel,
/// WavLMModel and Data2VecAudioModel of `transformers` are computed and their weights are named.
/// Sources: Baevski et al. 2020 and 2022, Hsu et al. 2021, Chen et al. 2021.
class WaveEncoder final : public torch::nn::Module {
public:
    struct Input {
        torch::Tensor wav_BN;
        /// Samples of each row, int64, best on the CPU; undefined: all rows are full, and attention
        /// sees all of them.
        torch::Tensor samples_B = {};
        /// Frames to mask, bool, in evaluation too; undefined: training draws them. Neither without
        /// applySpecAugment.
        torch::Tensor masked_BT = {};
        bool keepHidden = false;
    };
    struct Output {
        LayerOutputs layers;
        torch::Tensor features_BTC; ///< normed, before the projection
        torch::Tensor frames_B; ///< on the device of samples_B; undefined without
    };

    /// Throws c10::Error where the config is w2v-BERT's.
    explicit WaveEncoder(const EncoderConfig& config,
        std::shared_ptr<RandomSource> random = std::make_shared<RandomSource>());

    Output forward(const Input& input);

    const EncoderConfig& config() const { return m_config; }
    /// The convolutions over the wave get no gradients.
    void freezeConvolutions();

private:
    const EncoderConfig m_config;
    FrameMasking m_masking;
    std::shared_ptr<WaveConvolutions> m_convolutions;
    std::shared_ptr<FeatureProjection> m_projection;
    std::shared_ptr<EncoderStack> m_stack;
};

} // namespace earwright::model
