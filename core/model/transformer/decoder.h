#pragma once

#include "core/catalog/configs/transformer.h"
#include "core/model/dropout.h"
#include "core/model/transformer/attention.h"
#include "core/model/transformer/feed_forward.h"

#include <torch/nn/module.h>

// Shapes: B rows, T target tokens, S encoder frames, D width, K hypotheses of each row, N = B * K.

namespace earwright::model {

/// What the decoder attends to, and what of it and of the targets is hidden.
struct DecoderContext {
    torch::Tensor memory_BSD;
    AttentionMask memoryMask;
    AttentionMask targetMask;
};

/// What a decoder layer keeps between the tokens of a search. The K rows of a batch row are side by
/// side; the encoder's frames are kept once a batch row.
struct LayerMemory {
    MultiheadAttention::KeysValues targets; ///< of the N rows' tokens so far; undefined at first
    MultiheadAttention::KeysValues encoder; ///< of the B rows
    bool keepsWeights = false;
    torch::Tensor weights_NS {}; ///< if kept: over the frames, of the last token of each row
};

/// Self-attention, attention to the encoder, feed-forward; always regular attention.
class DecoderLayer final : public torch::nn::Module {
public:
    explicit DecoderLayer(const catalog::TransformerAsrConfig& config);
    torch::Tensor forward(const torch::Tensor& x_BTD, const DecoderContext& context);
    LayerMemory remember(const torch::Tensor& memory_BSD);
    /// The next token of each row: x_N1D -> [N, 1, D]. memoryMask: of the B rows.
    torch::Tensor step(
        const torch::Tensor& x_N1D, LayerMemory& memory, const AttentionMask& memoryMask);
    /// Of the attention to the encoder, mean over the heads: [B, T, S].
    torch::Tensor memoryWeights(const torch::Tensor& x_BTD, const DecoderContext& context);

private:
    torch::Tensor drop(const torch::Tensor& x) const
    {
        return dropped(x, m_dropout, is_training());
    }
    torch::Tensor attendToTargets(const torch::Tensor& x_N1D, LayerMemory& memory);
    torch::Tensor attendToEncoder(
        const torch::Tensor& x_N1D, LayerMemory& memory, const AttentionMask& memoryMask);
    torch::Tensor afterSelfAttention(const torch::Tensor& x_BTD, const DecoderContext& context);

    std::shared_ptr<MultiheadAttention> m_selfAttention;
    std::shared_ptr<MultiheadAttention> m_memoryAttention;
    std::shared_ptr<FeedForward> m_feedForward;
    std::shared_ptr<Norm> m_norm1;
    std::shared_ptr<Norm> m_norm2;
    std::shared_ptr<Norm> m_norm3;
    double m_dropout;
    bool m_normFirst;
};

class Decoder final : public torch::nn::Module {
public:
    explicit Decoder(const catalog::TransformerAsrConfig& config);
    torch::Tensor forward(torch::Tensor x_BTD, const DecoderContext& context);
    std::vector<LayerMemory> remember(const torch::Tensor& memory_BSD);
    torch::Tensor step(
        torch::Tensor x_N1D, std::vector<LayerMemory>& memory, const AttentionMask& memoryMask);
    /// Output and the last layer's weights over the encoder's frames.
    std::pair<torch::Tensor, torch::Tensor> forwardWithWeights(
        torch::Tensor x_BTD, const DecoderContext& context);

private:
    std::vector<std::shared_ptr<DecoderLayer>> m_layers;
    std::shared_ptr<Norm> m_norm;
};

} // namespace earwright::model
