#pragma once

#include <torch/types.h>

// Shapes: B rows, T queries, S keys.

namespace earwright::model {

/// What attention must not look at; bool, true = masked. Both may be undefined.
struct AttentionMask {
    torch::Tensor keys_BS; ///< padding of the keys
    torch::Tensor pairs_TS; ///< of query and key, the same in every row (look-ahead)

    /// Their union, broadcastable to [batch, heads, queries, keys]; undefined where nothing is
    /// masked.
    torch::Tensor united() const;
};

/// Padding of `frames` frames from relative lengths: round(rel * frames), half to even, as
/// upstream. A row keeps at least its first frame, for a softmax over nothing is NaN. Undefined
/// lengths give an undefined mask.
torch::Tensor keyPadding(const torch::Tensor& lengths_B, int64_t frames);
/// The same from whole lengths.
torch::Tensor keyPaddingOfCounts(const torch::Tensor& counts_B, int64_t frames);

/// [T, T], true where the key lies after the query.
torch::Tensor lookAhead(int64_t frames, torch::Device device);

} // namespace earwright::model
