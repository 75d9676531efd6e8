#pragma once

#include "core/data/batch.h"

namespace earwright::train {

/// What a decoder reads and what it should give, made of the tokens of a batch, U = L + 1.

/// [B, U] int64: each text behind <bos>, padded with 0 as upstream's batches are.
torch::Tensor textsAfter(int64_t bosIndex, const data::Batch& batch);

struct TargetTexts {
    torch::Tensor tokens_BU; ///< each text and <eos>, padded with 0
    torch::Tensor lengths_B; ///< relative to U, float64: a float32 would round some up and so count
                             ///< a padded target
};
TargetTexts textsBefore(int64_t eosIndex, const data::Batch& batch);

} // namespace earwright::train
