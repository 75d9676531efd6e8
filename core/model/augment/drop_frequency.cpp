#include "core/model/augment/drop_frequency.h"

namespace earwright::model {

namespace {

constexpr int64_t kTaps = 101;
constexpr int64_t kHalf = kTaps / 2;
constexpr int64_t kBlock = 64; ///< samples that one row of a product gives

/// A windowed sinc whose taps sum to one; the cutoff in upstream's units.
torch::Tensor lowPass(float cutoff)
{
    const torch::Tensor angle = 3 * cutoff * (torch::arange(kTaps) - kHalf).to(at::kFloat);
    const torch::Tensor sinc = torch::where(angle == 0, torch::ones({}), torch::sin(angle) / angle);
    const torch::Tensor taps = sinc * torch::blackman_window(kTaps);
    return taps / taps.sum();
}

/// [kBlock + kTaps - 1, kBlock]: column j holds the taps from row j on.
torch::Tensor shiftedTaps(const torch::Tensor& taps)
{
    torch::Tensor rows = torch::zeros({ kBlock, kBlock + kTaps - 1 });
    rows.as_strided({ kBlock, kTaps }, { kBlock + kTaps, 1 }).copy_(taps.expand({ kBlock, kTaps }));
    return rows.t();
}

/// As a product of matrices, one row a block of samples: with one channel conv1d has nothing to
/// share its reads over and is ten times slower on a CPU.
torch::Tensor filtered(const torch::Tensor& waves_BT, const torch::Tensor& taps)
{
    const int64_t samples = waves_BT.size(1);
    const int64_t rest = (kBlock - samples % kBlock) % kBlock;
    const torch::Tensor blocks = torch::constant_pad_nd(waves_BT, { kHalf, kHalf + rest })
                                     .unfold(1, kBlock + kTaps - 1, kBlock);
    const torch::Tensor filtered_BT
        = blocks.matmul(shiftedTaps(taps).to(waves_BT.options(), true)).flatten(1);
    return filtered_BT.narrow(1, 0, samples);
}

} // namespace

torch::Tensor notchFilter(double frequency, double width)
{
    // float32 as upstream, which adds the width before it takes it away again.
    const auto band = static_cast<float>(width);
    const float above = static_cast<float>(frequency) + band;
    torch::Tensor taps = -lowPass(above + band);
    taps[kHalf] += 1;
    return lowPass(above - band) + taps;
}

Augmented DropFreq::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const int64_t count = random.integer(m_config.dropFreqCountLow, m_config.dropFreqCountHigh + 1);
    const torch::Tensor frequencies
        = (random.uniform({ count }) * (m_config.dropFreqHigh - m_config.dropFreqLow)
            + m_config.dropFreqLow)
              .clamp_min(m_config.epsilon);
    torch::Tensor taps = torch::zeros({ 1, kTaps });
    taps[0][kHalf] = 1;
    for (int64_t i = 0; i < count; ++i)
        taps = filtered(taps, notchFilter(frequencies[i].item<double>(), m_config.dropFreqWidth));
    return { filtered(waves_BT, taps), lengths_B };
}

} // namespace earwright::model
