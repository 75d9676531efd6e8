#pragma once

#include "core/catalog/configs/language_model.h"
#include "core/model/language/language_model.h"
#include "core/model/projection.h"
#include "core/model/transformer/attention.h"
#include "core/model/transformer/feed_forward.h"
#include "core/model/transformer/positions.h"

#include <torch/nn/modules/embedding.h>

// Shapes: B rows or N texts, T tokens, S tokens so far, D width, V tokens of the vocabulary.

namespace earwright::model {

/// A layer of upstream's TransformerEncoder over texts, which can also go on token by token.
class TextLayer final : public torch::nn::Module {
public:
    explicit TextLayer(const catalog::TransformerLmConfig& config);
    torch::Tensor forward(const torch::Tensor& x_BTD, const AttentionMask& mask);
    /// `past`: keys and values of the tokens so far, undefined at first; takes the next one's.
    /// mask: of all S tokens. x_N1D -> [N, 1, D].
    torch::Tensor step(const torch::Tensor& x_N1D, MultiheadAttention::KeysValues& past,
        const AttentionMask& mask);

private:
    template <class Attend>
    torch::Tensor run(const torch::Tensor& x_BTD, const Attend& attend);

    std::shared_ptr<MultiheadAttention> m_attention;
    std::shared_ptr<FeedForward> m_feedForward;
    std::shared_ptr<Norm> m_norm1;
    std::shared_ptr<Norm> m_norm2;
    double m_dropout;
    bool m_normFirst;
};

/// speechbrain.lobes.models.transformer.TransformerLM.TransformerLM of encoder layers: a token sees
/// itself and those before it, but never a token 0, upstream's padding. Every parameter of two or
/// more dimensions starts Xavier normal.
class TransformerLm final : public LanguageModel {
public:
    /// Throws c10::Error for what cannot be built: heads that do not divide the width.
    explicit TransformerLm(const catalog::TransformerLmConfig& config);

    torch::Tensor forward(torch::Tensor tokens_BT, torch::Tensor lengths_B = {}) override;

    std::unique_ptr<Memory> startTexts() const override;
    torch::Tensor step(const torch::Tensor& tokens_N, Memory& memory) override;

private:
    void registerEmbedding(const catalog::TransformerLmConfig& config);
    void registerLayers(const catalog::TransformerLmConfig& config);
    void registerOutput();
    torch::Tensor embed(const torch::Tensor& tokens_BT, int64_t firstPosition);
    torch::Tensor logits(const torch::Tensor& x_BTD);

    double m_embeddingScale;
    std::shared_ptr<PositionalEncoding> m_positions;
    torch::nn::Embedding m_embedding;
    Projection m_embeddingProjection = nullptr; ///< null without d_embedding
    std::vector<std::shared_ptr<TextLayer>> m_layers;
    std::shared_ptr<Norm> m_norm;
    Projection m_hidden;
    std::shared_ptr<Norm> m_outputNorm;
    Projection m_output;
};

} // namespace earwright::model
