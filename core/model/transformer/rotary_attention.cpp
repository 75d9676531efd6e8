#include "core/model/transformer/attention.h"

#include "core/model/transformer/dot_product.h"

#include <cmath>
#include <torch/nn/init.h>

namespace earwright::model {

namespace {

/// Cosines and sines [T, E] of neighbouring pairs; the sine of the first of a pair is negative.
std::pair<torch::Tensor, torch::Tensor> rotation(int64_t frames, int64_t size, torch::Device device)
{
    const auto options = torch::TensorOptions(device).dtype(torch::kFloat);
    const torch::Tensor frequencies = torch::exp(
        torch::arange(0, size, 2, options) * -(std::log(10000.0) / static_cast<double>(size)));
    const torch::Tensor angles = torch::outer(torch::arange(frames, options), frequencies);
    const torch::Tensor cosines = angles.cos();
    const torch::Tensor sines = angles.sin();
    return { torch::stack({ cosines, cosines }, -1).flatten(1),
        torch::stack({ -sines, sines }, -1).flatten(1) };
}

} // namespace

RotaryAttention::RotaryAttention(const AttentionSize& size)
    : m_size(size)
{
    TORCH_CHECK(size.width / size.heads % 2 == 0, "RoPEMHA needs an even head size, not ",
        size.width / size.heads);
    m_inWeight = register_parameter("in_proj_weight", torch::empty({ 3 * size.width, size.width }));
    m_out = register_module("out_proj", Projection(size.width, size.width));
    torch::nn::init::xavier_uniform_(m_inWeight);
}

torch::Tensor RotaryAttention::rotate(const torch::Tensor& x_BHTE, const torch::Tensor& cosines_TE,
    const torch::Tensor& sines_TE) const
{
    const torch::Tensor swapped = x_BHTE.unflatten(-1, { -1, 2 }).flip(-1).flatten(-2);
    return x_BHTE * cosines_TE.to(x_BHTE.scalar_type())
        + swapped * sines_TE.to(x_BHTE.scalar_type());
}

torch::Tensor RotaryAttention::forward(
    const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor&)
{
    const int64_t frames = x_BTD.size(1);
    const int64_t headSize = m_size.width / m_size.heads;
    if (!m_cosines.defined() || m_cosines.size(0) < frames || m_cosines.device() != x_BTD.device())
        std::tie(m_cosines, m_sines) = rotation(frames, headSize, x_BTD.device());
    const torch::Tensor qkv_BTHE3
        = torch::linear(x_BTD, m_inWeight).unflatten(-1, { m_size.heads, 3, headSize });
    const auto parts = qkv_BTHE3.permute({ 3, 0, 2, 1, 4 }).unbind();
    const torch::Tensor cosines = m_cosines.narrow(0, 0, frames);
    const torch::Tensor sines = m_sines.narrow(0, 0, frames);
    const double dropout = is_training() ? m_size.dropout : 0.0;
    const double scale = 1 / std::sqrt(static_cast<double>(m_size.width));
    return m_out(dotProductAttention(rotate(parts[0], cosines, sines),
        rotate(parts[1], cosines, sines), parts[2], mask, dropout, scale));
}

} // namespace earwright::model
