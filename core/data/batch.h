#pragma once

#include "core/data/hotwords.h"

#include <cstdint>
#include <optional>
#include <string>
#include <torch/types.h>
#include <vector>

// Shapes: B rows of this rank (at least 1), T samples, L tokens. T and L are those of the whole
// batch, over all ranks.

namespace earwright::data {

/// What augmentation made other rows of.
struct RowsMade {
    int64_t givenRows = 0;
    int64_t givenTokens = 0;
    int64_t rows = 0;
    int64_t tokens = 0;
};

/// What decides whether CTC finds room for a text.
struct RowSize {
    int64_t samples = 0;
    int64_t ctcFrames = 0; ///< ctcFramesNeeded() of its tokens
};

/// A padded batch, float32 and int64 on the CPU (pinned where `pinMemory`).
struct Batch {
    torch::Tensor wavs_BT; ///< zero padded to the longest of the whole batch, also where this rank
                           ///< has a part of it
    torch::Tensor wavLens_B; ///< relative lengths, float32
    torch::Tensor tokens_BL; ///< padded with 0
    torch::Tensor tokenLens_B; ///< relative lengths, float32
    std::vector<std::string> ids;
    std::vector<std::string> texts;
    /// Tokens of LoaderOptions::utteranceLabels, one list a row; empty where none are asked for.
    std::vector<std::vector<int64_t>> labels = {};
    std::vector<int64_t> indices; ///< into the dataset: WER files are written in manifest order
    double audioSeconds = 0; ///< of this rank's rows, without padding
    int64_t tokens = 0; ///< of this rank's rows, without padding
    int64_t wholeSize = 0; ///< rows of the whole batch
    int64_t wholeTokens = 0; ///< tokens of the whole batch
    std::vector<RowSize> wholeRows = {}; ///< of the whole batch; empty where augmentation made
                                         ///< others of this rank's rows
    int64_t stepSize = 0; ///< rows of all batches of the optimizer step; 0: the whole batch is all
    int64_t stepTokens = 0; ///< tokens of all batches of the optimizer step
    std::optional<RowsMade> made = {}; ///< of this rank's rows; none: they are as they were read
    std::vector<std::vector<int64_t>> hotwords = {}; ///< tokens of those sampled from the texts of
                                                     ///< the whole batch
    std::vector<std::vector<HotwordSpan>> hotwordSpans = {}; ///< where they lie, one list a row of
                                                             ///< this rank; empty where none are
                                                             ///< sampled
};

} // namespace earwright::data
