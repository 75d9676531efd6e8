#pragma once

#include "core/catalog/configs/paraformer.h"
#include "core/model/layer.h"
#include "core/model/paraformer/sanm_attention.h"
#include "core/model/projection.h"

#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/normalization.h>

namespace earwright::model {

/// funasr.models.sanm.positionwise_feed_forward.PositionwiseFeedForwardDecoderSANM: a norm between
/// its two linear layers, the second without bias.
class DecoderFeedForward final : public torch::nn::Module {
public:
    DecoderFeedForward(int64_t width, int64_t hidden, double dropout);
    torch::Tensor forward(const torch::Tensor& x);

private:
    double m_dropout;
    Projection m_up = nullptr;
    Projection m_down = nullptr;
    torch::nn::LayerNorm m_norm = nullptr;
};

/// What a decoder looks at.
struct Encoded {
    torch::Tensor x_BTD;
    torch::Tensor valid_BT; ///< bool
};

/// What a DecoderLayerSANM has besides its feed-forward.
enum class DecoderParts { MemoryAndAttention, Memory, Neither };

/// funasr.models.paraformer.decoder.DecoderLayerSANM. The feed-forward comes first and has no
/// residual of its own; a layer with neither memory nor attention has no residual at all.
class SanmDecoderLayer final : public torch::nn::Module {
public:
    SanmDecoderLayer(const catalog::ParaformerDecoderConfig& config, DecoderParts parts);
    /// weights_BHUT is undefined where nothing attends.
    Attended forward(
        const torch::Tensor& x_BUD, const torch::Tensor& valid_BU, const Encoded& encoded);

private:
    bool m_normsBefore;
    double m_dropout;
    std::shared_ptr<DecoderFeedForward> m_feedForward;
    std::shared_ptr<FsmnMemory> m_memory;
    std::shared_ptr<CrossAttention> m_attention;
    torch::nn::LayerNorm m_norm1 = nullptr;
    torch::nn::LayerNorm m_norm2 = nullptr;
    torch::nn::LayerNorm m_norm3 = nullptr;
};

/// funasr.models.paraformer.decoder.ParaformerSANMDecoder: att_layer_num layers that attend to the
/// encoder (decoders), num_blocks - att_layer_num without (decoders2), one feed-forward
/// (decoders3). `embed` holds the tokens' embeddings, for who samples.
class ParaformerDecoder final : public Layer {
public:
    explicit ParaformerDecoder(const catalog::ParaformerDecoderConfig& config);

    /// Always throws c10::Error: a decoder looks at an encoder. Call hidden().
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

    /// x: acoustic embeddings [batch, tokens, width], valid_BU bool -> hidden, the same shape.
    torch::Tensor hidden(
        const torch::Tensor& x_BUD, const torch::Tensor& valid_BU, const Encoded& encoded);
    /// Scores before softmax, [batch, tokens, vocab_size]. Throws c10::Error without output layer.
    torch::Tensor scores(const torch::Tensor& hidden_BUD);
    /// What attention layer `layer` (from 1) looked at, summed over nothing: [batch, heads, tokens,
    /// time]. Upstream's forward_asf6 is layer 6; of fewer it is the last.
    torch::Tensor attention(const torch::Tensor& x_BUD, const torch::Tensor& valid_BU,
        const Encoded& encoded, size_t layer);
    torch::nn::Embedding embedding() const { return m_embedding; }

private:
    std::vector<std::shared_ptr<SanmDecoderLayer>> m_layers;
    size_t m_attending = 0; ///< the first so many of them look at the encoder
    torch::nn::Embedding m_embedding = nullptr;
    torch::nn::LayerNorm m_afterNorm = nullptr;
    Projection m_output = nullptr;
};

} // namespace earwright::model
