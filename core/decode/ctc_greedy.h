#pragma once

#include <cstdint>
#include <torch/types.h>
#include <vector>

namespace earwright::decode {

/// speechbrain.decoders.ctc_greedy_decode: arg max per frame, repeats merged, blanks removed.
/// scores_BTV on any device; lengths_B relative. One list of token ids a row.
std::vector<std::vector<int64_t>> ctcGreedy(
    const torch::Tensor& scores_BTV, const torch::Tensor& lengths_B, int64_t blankIndex);

/// The best path of each row: repeats merged, blanks left out. best_BT: the best label of each
/// frame, int64 on any device; counts_B: the frames of each row.
std::vector<std::vector<int64_t>> mergedPaths(
    const torch::Tensor& best_BT, const torch::Tensor& counts_B, int64_t blank);

} // namespace earwright::decode
