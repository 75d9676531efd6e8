#include "tests/model/parity/last_fire.h"

#include <torch/utils.h>

namespace earwright::tests {

torch::Tensor firesOf(const torch::Tensor& peaks_BT)
{
    return (peaks_BT >= 1).sum(-1);
}

void settleFires(const Case& test, torch::Tensor bias,
    const std::function<torch::Tensor()>& peaks_BT, Comparison& compare)
{
    constexpr int kMost = 60;
    constexpr double kUlp = 1.2e-7;
    const torch::NoGradGuard noGrad;
    const torch::Tensor recorded = bias.clone();
    for (int nudge = 0; nudge < kMost; ++nudge) {
        const int ulps = (nudge % 2 == 0 ? 1 : -1) * ((nudge + 1) / 2);
        bias.copy_(recorded * (1 + ulps * kUlp));
        const torch::Tensor off = firesOf(peaks_BT()) - test.tensor("out.fired_per_row");
        if (nudge == 0)
            compare.check("fires but for the last", off.abs().max().item<int64_t>() <= 1);
        if (!off.any().item<bool>())
            return;
    }
}

} // namespace earwright::tests
