#include "core/model/dropout.h"

#include <cmath>
#include <limits>

namespace earwright::model {

namespace {

constexpr int64_t kChances = 1 << 16; ///< of a number: its bits
constexpr int64_t kNumbersADraw = 4;

/// Evenly spread int16, laid out as x is.
torch::Tensor bitsLike(const torch::Tensor& x)
{
    const int64_t draws = (x.numel() + kNumbersADraw - 1) / kNumbersADraw;
    const torch::Tensor bits
        = torch::empty({ draws }, torch::kLong)
              .random_(std::numeric_limits<int64_t>::min(), std::optional<int64_t>())
              .view(torch::kShort);
    if (x.is_non_overlapping_and_dense())
        return bits.as_strided(x.sizes(), x.strides());
    return bits.narrow(0, 0, x.numel()).view(x.sizes());
}

} // namespace

bool dropsByBits(const torch::Tensor& x)
{
    return x.is_cpu() && x.scalar_type() == torch::kFloat;
}

torch::Tensor dropped(const torch::Tensor& x, double rate, bool isTraining)
{
    if (!isTraining || rate == 0)
        return x;
    const int64_t chances = std::llround(rate * kChances);
    if (!dropsByBits(x) || chances >= kChances)
        return torch::dropout(x, rate, true);
    const torch::Tensor isKept = bitsLike(x) >= chances - kChances / 2;
    const double scale = static_cast<double>(kChances) / static_cast<double>(kChances - chances);
    return x * isKept.to(x.scalar_type()).mul_(scale);
}

torch::Tensor Dropout::forward(torch::Tensor input, torch::Tensor)
{
    return dropped(input, m_rate, is_training());
}

torch::Tensor Dropout2d::forward(torch::Tensor input, torch::Tensor)
{
    if (!is_training() || m_rate == 0)
        return input;
    TORCH_CHECK(input.dim() == 4, "Dropout2d takes [batch, time, features, channels]");
    torch::Tensor mask = torch::empty({ input.size(0), 1, input.size(2), 1 }, input.options());
    mask.bernoulli_(1 - m_rate);
    return input * (m_rate < 1 ? mask.div_(1 - m_rate) : mask);
}

} // namespace earwright::model
