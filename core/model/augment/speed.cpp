#include "core/model/augment/speed.h"

namespace kymo::model {

torch::Tensor resampleRows(const torch::Tensor& waves_BT, data::Ratio ratio)
{
    if (ratio.isIdentity())
        return waves_BT;
    const torch::Tensor rows_BT = waves_BT.to(at::kCPU, at::kFloat).contiguous();
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
