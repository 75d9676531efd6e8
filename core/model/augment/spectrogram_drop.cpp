#include "core/model/augment/spectrogram_drop.h"

#include <algorithm>
#include <array>

namespace earwright::model {

/// [B, T, 1] or [B, 1, F]; undefined where no span was drawn.
torch::Tensor SpectrogramDrop::mask(const torch::Tensor& features_BTF, RandomSource& random) const
{
    const int64_t rows = features_BTF.size(0);
    const int64_t extent = features_BTF.size(m_config.dim);
    const int64_t count = random.integer(m_config.dropCountLow, m_config.dropCountHigh + 1);
    if (count == 0)
        return {};
    // "high" is exclusive here, and low = high means that length.
    const int64_t above = std::max(m_config.dropLengthLow + 1, m_config.dropLengthHigh);
    const torch::Tensor length_BN1
        = random.integers(m_config.dropLengthLow, above, { rows, count }).unsqueeze(2);
    const torch::Tensor start_BN1
        = random.integers(0, std::max<int64_t>(1, extent), { rows, count }).unsqueeze(2);
    const torch::Tensor place_E = torch::arange(extent);
    const torch::Tensor mask_BE
        = ((start_BN1 <= place_E) & (place_E < start_BN1 + length_BN1)).any(1);
    return mask_BE.unsqueeze(m_config.dim == 1 ? 2 : 1).to(features_BTF.device(), true);
}

torch::Tensor SpectrogramDrop::replacement(
    const torch::Tensor& features_BTF, RandomSource& random) const
{
    const std::array<std::string, 5> kinds { "zeros", "mean", "rand", "cutcat", "swap" };
    const std::string& kind = m_config.replace == "random_selection"
        ? kinds.at(static_cast<size_t>(random.integer(0, 5)))
        : m_config.replace;
    if (kind == "mean")
        return features_BTF.mean();
    if (kind == "cutcat")
        return torch::roll(features_BTF, 1, 0);
    if (kind == "swap")
        return torch::roll(
            features_BTF, random.integer(1, std::max<int64_t>(2, features_BTF.size(1))), 1);
    if (kind != "rand")
        return torch::zeros({}, features_BTF.options());
    const torch::Tensor lowest = features_BTF.min();
    return random.uniform(features_BTF.sizes()).to(features_BTF.options(), true)
        * (features_BTF.max() - lowest)
        + lowest;
}

Augmented SpectrogramDrop::apply(
    const torch::Tensor& features_BTF, const torch::Tensor& lengths_B, RandomSource& random)
{
    const torch::Tensor mask = this->mask(features_BTF, random);
    if (!mask.defined())
        return { features_BTF, lengths_B };
    return { torch::where(mask, replacement(features_BTF, random), features_BTF), lengths_B };
}

} // namespace earwright::model
