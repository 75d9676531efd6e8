#include "core/model/augment/warping.h"

#include <array>

namespace earwright::model {

namespace {

torch::Tensor stretched(const torch::Tensor& x_B1TF, int64_t frames, const Warp& warp)
{
    const std::array<int64_t, 2> size { frames, x_B1TF.size(3) };
    return warp.isBilinear ? at::upsample_bilinear2d(x_B1TF, size, warp.alignsCorners)
                           : at::upsample_bicubic2d(x_B1TF, size, warp.alignsCorners);
}

} // namespace

torch::Tensor warpTime(const torch::Tensor& x_BTF, const Warp& warp, RandomSource& random)
{
    const int64_t frames = x_BTF.size(1);
    if (frames - warp.window <= warp.window)
        return x_BTF;
    const int64_t from = random.integer(warp.window, frames - warp.window);
    const int64_t to = random.integer(from - warp.window, from + warp.window) + 1;
    const torch::Tensor x_B1TF = x_BTF.unsqueeze(1);
    return torch::cat({ stretched(x_B1TF.slice(2, 0, from), to, warp),
                          stretched(x_B1TF.slice(2, from), frames - to, warp) },
        2)
        .squeeze(1);
}

Augmented Warping::apply(
    const torch::Tensor& features_BTF, const torch::Tensor& lengths_B, RandomSource& random)
{
    const Warp warp { .window = m_config.warpWindow,
        .isBilinear = m_config.warpMode == "bilinear",
        .alignsCorners = true };
    if (m_config.dim == 1)
        return { warpTime(features_BTF, warp, random), lengths_B };
    return { warpTime(features_BTF.transpose(1, 2), warp, random).transpose(1, 2), lengths_B };
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

} // namespace earwright::model
