#include "core/model/transformer/hyper_mixing.h"

#include <cmath>
#include <torch/nn/init.h>

// N = B * T frames.

namespace earwright::model {

RowMaker::RowMaker(const MixingSize& size)
{
    TORCH_CHECK(size.heads > 0 && size.width % size.heads == 0 && size.hidden % size.heads == 0,
        "hypermixing with ", size.heads,
        " heads needs a width and hidden units that are multiples of ", size.heads, ", not ",
        size.width, " and ", size.hidden);
    const int64_t width = size.width / size.heads;
    const int64_t rows = size.hasWholeHidden ? size.hidden : size.hidden / size.heads;
    const auto parameter = [this](const char* name, at::IntArrayRef sizes) {
        const torch::Tensor made = register_parameter(name, torch::empty(sizes));
        torch::nn::init::xavier_uniform_(made, std::sqrt(2.0));
        return made;
    };
    m_weights1 = parameter("fc1_weights", { size.heads, width, width });
    m_biases1 = parameter("fc1_biases", { size.heads, width });
    m_weights2 = parameter("fc2_weights", { size.heads, rows, width });
    m_biases2 = parameter("fc2_biases", { size.heads, rows });
}

torch::Tensor RowMaker::hidden(const torch::Tensor& x_HNE) const
{
    return torch::gelu(torch::baddbmm(m_biases1.unsqueeze(1), x_HNE, m_weights1.transpose(1, 2)));
}

HyperMixing::HyperMixing(const MixingSize& size)
    : m_size(size)
    , m_positions(std::make_shared<PositionalEncoding>(size.width, size.maxLength))
    , m_norm(torch::nn::LayerNormOptions({ size.width }))
{
    const auto hyper = register_module("hyper", std::make_shared<torch::nn::Module>());
    m_first = hyper->register_module("w1_gen", std::make_shared<RowMaker>(size));
    m_second = size.isTied ? m_first
                           : hyper->register_module("w2_gen", std::make_shared<RowMaker>(size));
    register_module("layer_norm", m_norm);
    register_module("positional_encoding", m_positions);
}

torch::Tensor HyperMixing::split(const torch::Tensor& x_BTD) const
{
    return x_BTD.unflatten(-1, { m_size.heads, m_size.width / m_size.heads })
        .permute({ 2, 0, 1, 3 })
        .flatten(1, 2);
}

/// See Note [Mixing without its matrices].
torch::Tensor HyperMixing::mix(
    const torch::Tensor& x_HNE, const torch::Tensor& placed_HNE, int64_t rows)
{
    const int64_t heads = m_size.heads;
    const int64_t width = m_size.width / heads;
    const auto framesOf = [&](const torch::Tensor& all) {
        return all.reshape({ heads * rows, -1, width });
    };
    const torch::Tensor x_GTE = framesOf(x_HNE); // G = H * B
    const torch::Tensor first_HNE = m_first->hidden(placed_HNE);
    const torch::Tensor second_HNE = m_second == m_first ? first_HNE : m_second->hidden(placed_HNE);
    const torch::Tensor sums_HME // M = B * E
        = torch::bmm(x_GTE.transpose(1, 2), framesOf(first_HNE)).view({ heads, -1, width });
    const torch::Tensor biases_HMK
        = torch::bmm(x_GTE.sum(1).reshape({ heads, -1, 1 }), m_first->biases_HK().unsqueeze(1));
    const torch::Tensor active_HMK
        = torch::gelu(torch::baddbmm(biases_HMK, sums_HME, m_first->weights_HKE().transpose(1, 2)));
    const torch::Tensor back_HME = torch::bmm(active_HMK, m_second->weights_HKE());
    const torch::Tensor offsets_HM1 = torch::bmm(active_HMK, m_second->biases_HK().unsqueeze(2));
    return torch::baddbmm(offsets_HM1.view({ heads * rows, 1, width }), framesOf(second_HNE),
        framesOf(back_HME).transpose(1, 2));
}

torch::Tensor HyperMixing::forward(
    const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor&)
{
    const int64_t rows = x_BTD.size(0);
    const int64_t frames = x_BTD.size(1);
    TORCH_CHECK(frames <= m_size.maxLength, frames, " frames are more than the ", m_size.maxLength,
        " that hypermixing has positions for: leave out long utterances");
    const auto silence = [&mask](const torch::Tensor& out_BTD) {
        return mask.keys_BS.defined() ? out_BTD.masked_fill(mask.keys_BS.unsqueeze(-1), 0)
                                      : out_BTD;
    };
    const torch::Tensor heard_BTD = silence(x_BTD);
    const torch::Tensor mixed_GTE
        = mix(split(heard_BTD), split(heard_BTD + m_positions->forward(frames)), rows);
    const torch::Tensor mixed_BTD
        = mixed_GTE.view({ m_size.heads, rows, frames, -1 }).permute({ 1, 2, 0, 3 }).flatten(2);
    return m_norm(silence(mixed_BTD));
}

// Note [Mixing without its matrices]
// A head mixes its x [T, E] over time: W2 * gelu(x^T * W1)^T with W1 = F1 * A1^T + b1 and
// W2 = F2 * A2^T + b2, both [T, K]; F [T, E] is the hidden layer of a RowMaker, A and b its second.
// Neither W is made: x^T * W1 = (x^T * F1) * A1^T + (sum of x over time) * b1, which has no T left
// behind the first product, and for h = gelu of that [E, K],
// W2 * h^T = F2 * (h * A2)^T + (h * b2)^T.
// That is K / E times less work over the frames than upstream's order, and rounds otherwise.
// Upstream sets rows of padding in W1 and W2 to zero. Of W1 they meet frames that are zero; of W2
// they make the frames of padding, which are set to zero instead.

} // namespace earwright::model
