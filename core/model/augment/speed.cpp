#include "core/model/augment/speed.h"

#include <map>
#include <mutex>

namespace kymo::model {

namespace {

/// Input samples, in blocks of ratio.from, that reach an output sample from either side; more than
/// data::resample()'s window has.
int64_t reachOf(data::Ratio ratio)
{
    constexpr int64_t kZeros = 7;
    const int64_t samples = kZeros * std::max(ratio.from, ratio.to) / ratio.to + 1;
    return (samples + ratio.from - 1) / ratio.from * ratio.from;
}

/// [to, 1, taps]: how data::resample() answers an impulse at each place around a block.
torch::Tensor makeTaps(data::Ratio ratio)
{
    const int64_t reach = reachOf(ratio);
    const int64_t count = 2 * reach + ratio.from;
    const int64_t first = reach / ratio.from * ratio.to;
    const torch::Tensor taps = torch::empty({ ratio.to, 1, count }, torch::kFloat);
    std::vector<float> impulse(static_cast<size_t>(count));
    for (int64_t place = 0; place < count; ++place) {
        impulse[static_cast<size_t>(place)] = 1;
        const torch::Tensor answer = torch::tensor(data::resample(impulse, ratio));
        taps.select(2, place).select(1, 0).copy_(answer.narrow(0, first, ratio.to));
        impulse[static_cast<size_t>(place)] = 0;
    }
    return taps;
}

torch::Tensor tapsOf(data::Ratio ratio)
{
    static std::mutex mutex;
    static std::map<std::pair<int, int>, torch::Tensor> all;
    const std::lock_guard lock(mutex);
    torch::Tensor& taps = all[{ ratio.from, ratio.to }];
    if (!taps.defined())
        taps = makeTaps(ratio);
    return taps;
}

} // namespace

torch::Tensor convolved(const torch::Tensor& waves_BT, data::Ratio ratio)
{
    const int64_t reach = reachOf(ratio);
    const torch::Tensor padded
        = torch::constant_pad_nd(waves_BT, { reach, reach + ratio.from }).unsqueeze(1);
    const torch::Tensor blocks
        = torch::conv1d(padded, tapsOf(ratio).to(waves_BT.options(), true), {}, ratio.from);
    return blocks.transpose(1, 2).flatten(1).narrow(
        1, 0, data::resampledLength(waves_BT.size(1), ratio));
}

torch::Tensor resampleRows(const torch::Tensor& waves_BT, data::Ratio ratio)
{
    if (ratio.isIdentity())
        return waves_BT;
    if (!waves_BT.is_cpu())
        return convolved(waves_BT, ratio);
    const torch::Tensor rows_BT = waves_BT.to(at::kFloat).contiguous();
    std::vector<torch::Tensor> resampled;
    for (int64_t row = 0; row < rows_BT.size(0); ++row) {
        const float* samples = rows_BT[row].data_ptr<float>();
        resampled.push_back(torch::tensor(
            data::resample(std::vector<float>(samples, samples + rows_BT.size(1)), ratio)));
    }
    return torch::stack(resampled).to(waves_BT);
}

Augmented SpeedPerturb::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const auto which = static_cast<size_t>(random.integer(0, std::ssize(m_speeds)));
    return { resampleRows(waves_BT, data::speedRatio(m_speeds[which] / 100)), lengths_B };
}

} // namespace kymo::model
