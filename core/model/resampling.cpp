#include "core/model/resampling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <torch/utils.h>

namespace earwright::model {

namespace {

constexpr double kLowpassWidth = 6;
constexpr double kRolloff = 0.99;

} // namespace

Taps float32Taps(data::Ratio ratio)
{
    const torch::NoGradGuard noGrad;
    const double rate = std::min(ratio.from, ratio.to) * kRolloff;
    const double reach = kLowpassWidth * ratio.from / rate; // in input samples
    const torch::Tensor phase_P = torch::arange(ratio.to, torch::kFloat64);
    const torch::Tensor first_P
        = torch::ceil(phase_P * ratio.from / ratio.to - reach).to(torch::kLong);
    const auto count = static_cast<int64_t>(std::floor(2 * reach)) + 1;
    const torch::Tensor place_KP = torch::arange(count).unsqueeze(1) + first_P;

    const torch::Tensor begin_P
        = torch::arange(0, -ratio.to, -1, torch::kFloat32) / static_cast<double>(ratio.to);
    torch::Tensor t = begin_P + place_KP.to(torch::kFloat32) / static_cast<double>(ratio.from);
    t = (t * rate).clamp(-kLowpassWidth, kLowpassWidth);
    const torch::Tensor window = torch::cos(t * std::numbers::pi / kLowpassWidth / 2).square();
    t = t * std::numbers::pi;
    const torch::Tensor sinc = torch::where(t == 0, torch::ones({}), torch::sin(t) / t);
    return { first_P, sinc * (window * (rate / ratio.from)) };
}

torch::Tensor resampledBy(const Taps& taps, data::Ratio ratio, const torch::Tensor& waves_BT)
{
    const torch::Tensor weights_KP = taps.weights_KP.to(waves_BT.options(), true);
    const auto places = waves_BT.options().dtype(torch::kLong);
    const int64_t count = weights_KP.size(0);
    const int64_t blocks = waves_BT.size(1) / ratio.from + 1;
    const int64_t before = std::max<int64_t>(0, -taps.first_P.min().item<int64_t>()); // on the CPU
    const int64_t after = ratio.from + count;
    const torch::Tensor padded = torch::constant_pad_nd(waves_BT, { before, after });
    const torch::Tensor first = (torch::arange(blocks, places).unsqueeze(1) * ratio.from + before
        + taps.first_P.to(places, true))
                                    .flatten();
    const std::vector<int64_t> shape { waves_BT.size(0), blocks, ratio.to };
    torch::Tensor sum = torch::zeros(shape, waves_BT.options());
    for (int64_t k = 0; k < count; ++k)
        sum.addcmul_(padded.index_select(1, first + k).view(shape), weights_KP[k]);
    return sum.flatten(1).narrow(1, 0, data::resampledLength(waves_BT.size(1), ratio));
}

} // namespace earwright::model
