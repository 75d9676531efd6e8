#include "core/model/whisper/whisper_layer.h"

#include "core/model/dropout.h"
#include "core/model/pretrained/attention.h"
#include "core/model/transformer/dot_product.h"

#include <cmath>

namespace earwright::model {

torch::nn::LayerNorm whisperNorm(const WhisperSizes& sizes)
{
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({ sizes.width }));
}

WhisperAttention::WhisperAttention(int64_t width, int64_t heads, double dropout)
    : m_heads(heads)
    , m_dropout(dropout)
    , m_k(register_module("k_proj", Projection(torch::nn::LinearOptions(width, width).bias(false))))
    , m_v(register_module("v_proj", Projection(width, width)))
    , m_q(register_module("q_proj", Projection(width, width)))
    , m_out(register_module("out_proj", Projection(width, width)))
{
}

WhisperPlaces WhisperAttention::placesOf(const torch::Tensor& x_BSD)
{
    return { headsOf(m_k(x_BSD), m_heads), headsOf(m_v(x_BSD), m_heads) };
}

torch::Tensor WhisperAttention::attend(
    const torch::Tensor& x_BTD, const WhisperPlaces& places, const AttentionMask& mask)
{
    const torch::Tensor q_BHTE = headsOf(m_q(x_BTD), m_heads);
    const double scale = 1 / std::sqrt(static_cast<double>(q_BHTE.size(3)));
    return m_out(dotProductAttention(
        q_BHTE, places.keys, places.values, mask, is_training() ? m_dropout : 0, scale));
}

WhisperLayer::WhisperLayer(
    const WhisperSizes& sizes, const WhisperStackSize& stack, bool isDecoders)
    : m_activation(sizes.activation)
    , m_dropout(sizes.dropout)
    , m_innerDropout(sizes.activationDropout)
    , m_self(register_module("self_attn",
          std::make_shared<WhisperAttention>(sizes.width, stack.heads, sizes.attentionDropout)))
    , m_selfNorm(register_module("self_attn_layer_norm", whisperNorm(sizes)))
    , m_inner(register_module("fc1", Projection(sizes.width, stack.innerWidth)))
    , m_outer(register_module("fc2", Projection(stack.innerWidth, sizes.width)))
    , m_norm(register_module("final_layer_norm", whisperNorm(sizes)))
{
    if (!isDecoders)
        return;
    m_toEncoder = register_module("encoder_attn",
        std::make_shared<WhisperAttention>(sizes.width, stack.heads, sizes.attentionDropout));
    m_toEncoderNorm = register_module("encoder_attn_layer_norm", whisperNorm(sizes));
}

torch::Tensor WhisperLayer::drop(const torch::Tensor& x) const
{
    return dropped(x, m_dropout, is_training());
}

/// The hypotheses of a batch row ask the encoder's frames together.
torch::Tensor WhisperLayer::afterSelfAttention(torch::Tensor x_BTD, const WhisperPlaces& frames)
{
    if (m_toEncoder) {
        const torch::Tensor query_BTD
            = m_toEncoderNorm(x_BTD).view({ frames.keys.size(0), -1, x_BTD.size(2) });
        x_BTD = x_BTD + drop(m_toEncoder->attend(query_BTD, frames)).view(x_BTD.sizes());
    }
    const torch::Tensor inner
        = dropped(activated(m_inner(m_norm(x_BTD)), m_activation), m_innerDropout, is_training());
    return x_BTD + drop(m_outer(inner));
}

torch::Tensor WhisperLayer::forward(
    const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor& encoder_BSD)
{
    const torch::Tensor normed_BTD = m_selfNorm(x_BTD);
    const torch::Tensor attended_BTD
        = m_self->attend(normed_BTD, m_self->placesOf(normed_BTD), mask);
    return afterSelfAttention(x_BTD + drop(attended_BTD),
        m_toEncoder ? m_toEncoder->placesOf(encoder_BSD) : WhisperPlaces {});
}

WhisperMemory WhisperLayer::remember(const torch::Tensor& encoder_BSD)
{
    const WhisperPlaces frames = m_toEncoder->placesOf(encoder_BSD);
    return { {}, { frames.keys.contiguous(), frames.values.contiguous() } };
}

torch::Tensor WhisperLayer::step(
    const torch::Tensor& x_NTD, WhisperMemory& memory, const AttentionMask& mask)
{
    const torch::Tensor normed_NTD = m_selfNorm(x_NTD);
    memory.tokens.append(m_self->placesOf(normed_NTD));
    return afterSelfAttention(
        x_NTD + drop(m_self->attend(normed_NTD, memory.tokens, mask)), memory.frames);
}

} // namespace earwright::model
