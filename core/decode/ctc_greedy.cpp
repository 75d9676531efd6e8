#include "core/decode/ctc_greedy.h"

#include <torch/utils.h>

namespace earwright::decode {

std::vector<std::vector<int64_t>> ctcGreedy(
    const torch::Tensor& scores_BTV, const torch::Tensor& lengths_B, int64_t blankIndex)
{
    const torch::NoGradGuard noGrad;
    const int64_t blank = blankIndex < 0 ? scores_BTV.size(2) + blankIndex : blankIndex;
    const torch::Tensor best_BT = std::get<1>(scores_BTV.max(2)).to(torch::kCPU).contiguous();
    // round() is half to even, as upstream's torch.round.
    const torch::Tensor frames_B = torch::round(
        lengths_B.to(torch::kCPU, torch::kFloat32) * static_cast<float>(scores_BTV.size(1)))
                                       .to(torch::kInt64)
                                       .contiguous();
    std::vector<std::vector<int64_t>> rows;
    for (int64_t row = 0; row < best_BT.size(0); ++row) {
        const int64_t* best = best_BT.data_ptr<int64_t>() + row * best_BT.size(1);
        const int64_t frames = std::min(frames_B.data_ptr<int64_t>()[row], best_BT.size(1));
        std::vector<int64_t> tokens;
        for (int64_t t = 0; t < frames; ++t) {
            const bool isRepeat = t > 0 && best[t] == best[t - 1];
            if (!isRepeat && best[t] != blank)
                tokens.push_back(best[t]);
        }
        rows.push_back(std::move(tokens));
    }
    return rows;
}

} // namespace earwright::decode
