#include "core/decode/ctc_batch.h"

#include <ATen/Parallel.h>

namespace earwright::decode {

torch::Tensor wholeFrames(const torch::Tensor& lengths_B, int64_t frames)
{
    return (lengths_B.to(torch::kCPU, torch::kFloat32) * static_cast<float>(frames))
        .to(torch::kInt64);
}

std::vector<std::vector<CtcHypothesis>> searchBatch(CtcSearch search,
    const CtcSearchSetting& setting, const torch::Tensor& logProbs_BTV,
    const torch::Tensor& lengths_B, FrameCounts counts)
{
    const torch::Tensor scores_BTV
        = logProbs_BTV.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    const int64_t rows = scores_BTV.size(0);
    const int64_t frames = scores_BTV.size(1);
    const int64_t width = scores_BTV.size(2);
    const torch::Tensor frames_B = lengths_B.defined()
        ? counts(lengths_B.to(torch::kCPU, torch::kFloat32), frames).clamp(0, frames)
        : torch::full({ rows }, frames, torch::kInt64);
    std::vector<std::vector<CtcHypothesis>> found(static_cast<size_t>(rows));
    at::parallel_for(0, rows, 1, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row)
            found[static_cast<size_t>(row)] = search(setting,
                { .data = scores_BTV.const_data_ptr<float>() + row * frames * width,
                    .frames = frames_B.const_data_ptr<int64_t>()[row],
                    .stride = width,
                    .width = width });
    });
    return found;
}

} // namespace earwright::decode
