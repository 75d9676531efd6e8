#include "core/train/target_texts.h"

namespace kymo::train {

namespace {

/// float32 lengths of up to 16 million tokens give the whole numbers back.
torch::Tensor tokenCounts(const data::Batch& batch)
{
    return (batch.tokenLens_B.to(torch::kFloat64) * batch.tokens_BL.size(1)).round();
}

} // namespace

torch::Tensor textsAfter(int64_t bosIndex, const data::Batch& batch)
{
    return torch::constant_pad_nd(batch.tokens_BL, { 1, 0 }, bosIndex);
}

TargetTexts textsBefore(int64_t eosIndex, const data::Batch& batch)
{
    const torch::Tensor counts_B = tokenCounts(batch);
    const torch::Tensor tokens_BU = torch::constant_pad_nd(batch.tokens_BL, { 0, 1 });
    return { .tokens_BU = tokens_BU.scatter(1, counts_B.to(torch::kInt64).unsqueeze(1), eosIndex),
        .lengths_B = (counts_B + 1) / static_cast<double>(tokens_BU.size(1)) };
}

} // namespace kymo::train
