#pragma once

#include "core/model/projection.h"
#include "core/model/transformer/attention.h"
#include "core/model/whisper/whisper_config.h"

#include <torch/nn/modules/normalization.h>

// Shapes: B rows, T places that look, S places that are looked at, D width, H heads, E = D / H.

namespace earwright::model {

/// Keys and values of places, [B, H, S, E] each.
using WhisperPlaces = MultiheadAttention::KeysValues;

/// `self_attn` and `encoder_attn`: children k_proj (without bias), v_proj, q_proj, out_proj.
class WhisperAttention final : public torch::nn::Module {
public:
    WhisperAttention(int64_t width, int64_t heads, double dropout);
    WhisperPlaces placesOf(const torch::Tensor& x_BSD);
    /// [B, T, D]
    torch::Tensor attend(
        const torch::Tensor& x_BTD, const WhisperPlaces& places, const AttentionMask& mask = {});

private:
    int64_t m_heads;
    double m_dropout;
    Projection m_k;
    Projection m_v;
    Projection m_q;
    Projection m_out;
};

/// What a decoder layer keeps between the tokens of a search. The hypotheses of a batch row are
/// side by side; the encoder's frames are kept once a batch row.
struct WhisperMemory {
    WhisperPlaces tokens; ///< so far; undefined at first
    WhisperPlaces frames;
};

/// A layer of the encoder or of the decoder, norms before each part: attention to its own places,
/// in the decoder to the encoder's frames, and a network of two layers.
class WhisperLayer final : public torch::nn::Module {
public:
    WhisperLayer(const WhisperSizes& sizes, const WhisperStackSize& stack, bool isDecoders);
    /// x_BTD -> [B, T, D]. encoder_BSD: of a decoder's layer.
    torch::Tensor forward(const torch::Tensor& x_BTD, const AttentionMask& mask = {},
        const torch::Tensor& encoder_BSD = {});
    WhisperMemory remember(const torch::Tensor& encoder_BSD);
    /// Of the next tokens of each row. mask: of them alone; undefined of a single one.
    torch::Tensor step(
        const torch::Tensor& x_NTD, WhisperMemory& memory, const AttentionMask& mask);

private:
    torch::Tensor drop(const torch::Tensor& x) const;
    torch::Tensor afterSelfAttention(torch::Tensor x_BTD, const WhisperPlaces& frames);

    EncoderActivation m_activation;
    double m_dropout;
    double m_innerDropout;
    std::shared_ptr<WhisperAttention> m_self;
    torch::nn::LayerNorm m_selfNorm;
    std::shared_ptr<WhisperAttention> m_toEncoder; ///< null in the encoder
    torch::nn::LayerNorm m_toEncoderNorm = nullptr;
    Projection m_inner;
    Projection m_outer;
    torch::nn::LayerNorm m_norm;
};

torch::nn::LayerNorm whisperNorm(const WhisperSizes& sizes);

} // namespace earwright::model
