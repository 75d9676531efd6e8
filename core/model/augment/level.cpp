#include "core/model/augment/level.h"

#include "core/model/augment/amplitude.h"

#include <array>

namespace earwright::model {

namespace {

/// Peaks to divide by: a silent row's is 1.
torch::Tensor peaksOf(const torch::Tensor& waves_BT)
{
    const torch::Tensor peaks_B1 = amplitudeOf(waves_BT, Amplitude::Peak);
    return peaks_B1.masked_fill(peaks_B1 == 0, 1);
}

torch::Tensor quantised(const torch::Tensor& waves_BT, double steps, at::ScalarType type)
{
    const torch::Tensor peak = waves_BT.abs().amax();
    // As Python divides a number by a tensor; the peak itself may fall to the step below.
    const torch::Tensor scale = peak.masked_fill(peak == 0, 1).reciprocal() * steps;
    return (waves_BT * scale).to(type).to(waves_BT.scalar_type()) / scale;
}

} // namespace

Augmented DoClip::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const torch::Tensor peaks_B1 = peaksOf(waves_BT);
    const torch::Tensor limit
        = random.uniform({ 1 }).to(waves_BT.device(), true) * (m_config.clipHigh - m_config.clipLow)
        + m_config.clipLow;
    const torch::Tensor clipped_BT = (waves_BT / peaks_B1).clamp(-limit, limit);
    return { clipped_BT * peaks_B1 / limit, lengths_B };
}

Augmented RandAmp::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const torch::Tensor peak_B
        = random.uniform({ waves_BT.size(0) }) * (m_config.ampHigh - m_config.ampLow)
        + m_config.ampLow;
    return { waves_BT / peaksOf(waves_BT) * peak_B.unsqueeze(1).to(waves_BT.device(), true),
        lengths_B };
}

Augmented DropBitResolution::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const std::array<std::string, 3> kinds { "int16", "int8", "float16" };
    const std::string& kind = m_config.targetDtype == "random"
        ? kinds.at(static_cast<size_t>(random.integer(0, 3)))
        : m_config.targetDtype;
    if (kind == "float16")
        return { waves_BT.to(at::kHalf).to(waves_BT.scalar_type()), lengths_B };
    return { kind == "int16" ? quantised(waves_BT, 32767, at::kShort)
                             : quantised(waves_BT, 127, at::kChar),
        lengths_B };
}

Augmented SignFlip::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const bool isFlipped = random.uniform({ 1 }).item<double>() < m_config.flipProb;
    return { isFlipped ? -waves_BT : waves_BT, lengths_B };
}

} // namespace earwright::model
