#include "core/decode/ctc_greedy.h"

#include <algorithm>
#include <iterator>
#include <torch/utils.h>

namespace earwright::decode {

std::vector<std::vector<int64_t>> ctcGreedy(
    const torch::Tensor& scores_BTV, const torch::Tensor& lengths_B, int64_t blankIndex)
{
    const torch::NoGradGuard noGrad;
    const int64_t blank = blankIndex < 0 ? scores_BTV.size(2) + blankIndex : blankIndex;
    const torch::Tensor best_BT = std::get<1>(scores_BTV.max(2));
    // round() is half to even, as upstream's torch.round.
    const torch::Tensor frames_B = torch::round(
        lengths_B.to(torch::kCPU, torch::kFloat32) * static_cast<float>(scores_BTV.size(1)));
    return mergedPaths(best_BT, frames_B, blank);
}

std::vector<std::vector<int64_t>> mergedPaths(
    const torch::Tensor& best_BT, const torch::Tensor& counts_B, int64_t blank)
{
    const torch::Tensor best = best_BT.cpu().contiguous();
    const torch::Tensor counts = counts_B.to(torch::kCPU, torch::kInt64).contiguous();
    std::vector<std::vector<int64_t>> paths;
    for (int64_t row = 0; row < best.size(0); ++row) {
        const int64_t* const labels = best.const_data_ptr<int64_t>() + row * best.size(1);
        const int64_t count = std::min(counts.const_data_ptr<int64_t>()[row], best.size(1));
        std::vector<int64_t>& path = paths.emplace_back();
        std::unique_copy(labels, labels + count, std::back_inserter(path));
        std::erase(path, blank);
    }
    return paths;
}

} // namespace earwright::decode
