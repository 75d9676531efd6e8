#include "core/model/transformer/masks.h"

namespace earwright::model {

torch::Tensor AttentionMask::united() const
{
    if (!keys_BS.defined())
        return pairs_TS;
    const torch::Tensor keys = keys_BS.unsqueeze(1).unsqueeze(1);
    return pairs_TS.defined() ? keys.logical_or(pairs_TS) : keys;
}

torch::Tensor keyPadding(const torch::Tensor& lengths_B, int64_t frames)
{
    if (!lengths_B.defined())
        return {};
    return keyPaddingOfCounts(torch::round(lengths_B * frames), frames);
}

torch::Tensor keyPaddingOfCounts(const torch::Tensor& counts_B, int64_t frames)
{
    const torch::Tensor index = torch::arange(frames, counts_B.options());
    return index.unsqueeze(0) >= counts_B.clamp_min(1).unsqueeze(1);
}

torch::Tensor lookAhead(int64_t frames, torch::Device device)
{
    return torch::ones({ frames, frames }, torch::TensorOptions(device).dtype(torch::kBool))
        .triu(1);
}

} // namespace earwright::model
