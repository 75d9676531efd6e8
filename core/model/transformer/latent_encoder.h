#pragma once

#include "core/catalog/configs/wav2vec.h"
#include "core/model/conv_front_end.h"
#include "core/model/layer_set.h"
#include "core/model/projection.h"
#include "core/model/transformer/encoder.h"
#include "core/model/transformer/positions.h"

// Shapes: B rows, N samples, T frames, C channels of the last convolution, D width.

namespace earwright::model {

/// speechbrain.lobes.models.wav2vec.W2VLatentExtractor: [B, N] -> latents [B, T, C]. As upstream,
/// waves are normalised with their padding. Children `extractor` (a ConvolutionFrontEnd of Conv1d,
/// LayerNorm and GELU) and `norm`.
/// Source: Baevski et al. 2020, https://arxiv.org/abs/2006.11477.
class W2VLatentExtractor final : public Layer {
public:
    explicit W2VLatentExtractor(const catalog::W2VLatentExtractorConfig& config);
    torch::Tensor forward(torch::Tensor wav_BN, torch::Tensor lengths_B = {}) override;

private:
    std::shared_ptr<ConvolutionFrontEnd> m_extractor;
    torch::nn::LayerNorm m_norm;
};

/// speechbrain.lobes.models.wav2vec.EncoderWrapper: latents [B, T, C] -> `embeddings` [B, T, D].
/// Children `input_projector`, `latent_encoder` (a TransformerEncoder that it shares) and
/// `positional_encoding`. `mask_emb` stands in masked frames of a pretraining: kept, and never
/// trained.
class LatentEncoder final : public Layer {
public:
    /// Throws c10::Error where latent_encoder is no TransformerEncoder of that width.
    LatentEncoder(const catalog::LatentEncoderConfig& config, LayerSet& layers);
    /// lengths_B: relative, or undefined; attention does not see the padding. Throws c10::Error
    /// that names avoid_if_longer_than where there are more than settings::kLatentPositions frames.
    torch::Tensor forward(torch::Tensor latents_BTC, torch::Tensor lengths_B = {}) override;
    bool hidesPadding() const override { return true; }

private:
    Projection m_input;
    std::shared_ptr<Encoder> m_encoder;
    std::shared_ptr<PositionalEncoding> m_positions;
    double m_dropout;
};

/// speechbrain.lobes.models.transformer.Transformer.TransformerEncoder. Unlike in a TransformerASR,
/// weights start as torch.nn draws them.
std::shared_ptr<Encoder> makeTransformerEncoder(const catalog::TransformerEncoderConfig& config);

} // namespace earwright::model
