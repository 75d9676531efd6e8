#include "core/model/masks.h"

namespace earwright::model {

torch::Tensor paddingMask(const torch::Tensor& lengths_B, int64_t frames, const torch::Tensor& like)
{
    if (!lengths_B.defined())
        return torch::ones({ like.size(0), frames }, like.options().dtype(at::kBool));
    const torch::Tensor ends = (lengths_B.to(like.device()) * frames - 1e-6).unsqueeze(1);
    return torch::arange(frames, ends.options()).unsqueeze(0) < ends;
}

torch::Tensor frameCounts(const torch::Tensor& lengths_B, int64_t frames)
{
    return (lengths_B * frames).round().to(at::kLong);
}

} // namespace earwright::model
