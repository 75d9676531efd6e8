#include "core/model/transformer/positions.h"

#include <cmath>
#include <torch/utils.h>

namespace earwright::model {

namespace {

torch::Tensor inverseFrequencies(int64_t size)
{
    TORCH_CHECK(size % 2 == 0, "sine positions need an even d_model, not ", size);
    return torch::exp(torch::arange(0, size, 2, torch::get_default_dtype())
        * -(std::log(10000.0) / static_cast<double>(size)));
}

torch::Tensor sines(int64_t length, const torch::Tensor& frequencies)
{
    const torch::Tensor angles
        = torch::arange(length, frequencies.options()).unsqueeze(1) * frequencies;
    return torch::stack({ angles.sin(), angles.cos() }, -1).flatten(1);
}

} // namespace

PositionalEncoding::PositionalEncoding(int64_t size, int64_t maxLength)
    : m_table(register_buffer("pe", sines(maxLength, inverseFrequencies(size)).unsqueeze(0)))
{
}

torch::Tensor PositionalEncoding::forward(int64_t frames) const
{
    TORCH_CHECK(frames <= m_table.size(1), frames, " positions are more than max_length ",
        m_table.size(1), " of the transformer");
    return m_table.narrow(1, 0, frames);
}

RelativePositions::RelativePositions(int64_t size)
    : m_inverseFrequencies(register_buffer("inv_freq", inverseFrequencies(size)))
{
}

torch::Tensor RelativePositions::forward(int64_t frames)
{
    const torch::NoGradGuard noGrad;
    const bool fits = m_table.defined() && m_table.size(0) >= frames
        && m_table.device() == m_inverseFrequencies.device();
    if (!fits)
        m_table = sines(frames, m_inverseFrequencies);
    return m_table.narrow(0, 0, frames);
}

} // namespace earwright::model
