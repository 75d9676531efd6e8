#pragma once

#include <cstdint>
#include <string>
#include <torch/torch.h>
#include <vector>

// Shapes: B rows of this rank (at least 1), T samples, L tokens. T and L are those of the whole
// batch, over all ranks.

namespace kymo::data {

/// A padded batch, float32 and int64 on the CPU (pinned where `pinMemory`).
struct Batch {
    torch::Tensor wavs_BT; ///< zero padded to the longest of the whole batch, also where this rank
                           ///< has a part of it
    torch::Tensor wavLens_B; ///< relative lengths, float32
    torch::Tensor tokens_BL; ///< padded with 0
    torch::Tensor tokenLens_B; ///< relative lengths, float32
    std::vector<std::string> ids;
    std::vector<std::string> texts;
    std::vector<int64_t> indices; ///< into the dataset: WER files are written in manifest order
    double audioSeconds = 0; ///< of this rank's rows, without padding
    int64_t tokens = 0; ///< of this rank's rows, without padding
    int64_t wholeSize = 0; ///< rows of the whole batch
    int64_t wholeTokens = 0; ///< tokens of the whole batch
};

} // namespace kymo::data
