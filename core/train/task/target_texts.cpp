#include "core/train/task/target_texts.h"

#include "core/train/task/batch_parts.h"

namespace earwright::train {

torch::Tensor textsAfter(int64_t bosIndex, const data::Batch& batch)
{
    return torch::constant_pad_nd(batch.tokens_BL, { 1, 0 }, bosIndex);
}

TargetTexts textsBefore(int64_t eosIndex, const data::Batch& batch)
{
    const torch::Tensor counts_B = countsOf(batch.tokenLens_B, batch.tokens_BL.size(1));
    const torch::Tensor tokens_BU = torch::constant_pad_nd(batch.tokens_BL, { 0, 1 });
    return { .tokens_BU = tokens_BU.scatter(1, counts_B.to(torch::kInt64).unsqueeze(1), eosIndex),
        .lengths_B = (counts_B + 1) / static_cast<double>(tokens_BU.size(1)) };
}

} // namespace earwright::train
