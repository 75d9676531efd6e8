#include "core/model/augment/warping.h"

#include <array>

namespace kymo::model {

torch::Tensor Warping::stretched(const torch::Tensor& x_B1TF, int64_t frames) const
{
    const std::array<int64_t, 2> size { frames, x_B1TF.size(3) };
    return m_config.warpMode == "bilinear" ? at::upsample_bilinear2d(x_B1TF, size, true)
                                           : at::upsample_bicubic2d(x_B1TF, size, true);
}

Augmented Warping::apply(
    const torch::Tensor& features_BTF, const torch::Tensor& lengths_B, RandomSource& random)
{
    const int64_t window = m_config.warpWindow;
    const int64_t extent = features_BTF.size(m_config.dim);
    if (extent - window <= window)
        return { features_BTF, lengths_B };
    const bool isTime = m_config.dim == 1;
    const torch::Tensor x_B1TF
        = (isTime ? features_BTF : features_BTF.transpose(1, 2)).unsqueeze(1);
    const int64_t from = random.integer(window, extent - window);
    const int64_t to = random.integer(from - window, from + window) + 1;
    const torch::Tensor warped = torch::cat(
        { stretched(x_B1TF.slice(2, 0, from), to), stretched(x_B1TF.slice(2, from), extent - to) },
        2)
                                     .squeeze(1);
    return { isTime ? warped : warped.transpose(1, 2), lengths_B };
}

Augmented RandomShift::apply(
    const torch::Tensor& features_BTF, const torch::Tensor& lengths_B, RandomSource& random)
{
    const int64_t shift = random.integer(m_config.minShift, m_config.maxShift + 1);
    const torch::Tensor moved = torch::roll(features_BTF, shift, m_config.dim);
    if (m_config.dim != 1)
        return { moved, lengths_B };
    const double part = static_cast<double>(shift) / static_cast<double>(features_BTF.size(1));
    return { moved, (lengths_B + part).clamp(0, 1) };
}

} // namespace kymo::model
