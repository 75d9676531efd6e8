#pragma once

#include "core/data/batch.h"
#include "core/decode/ctc_beam.h"

#include <cstdint>
#include <optional>
#include <torch/types.h>
#include <vector>

namespace earwright::train {

/// A task whose recipe may say itself how hypotheses are searched in its test: N-best of them.
class NBestOutput {
public:
    virtual ~NBestOutput() = default;
    /// The test's search keeps more hypotheses than one.
    virtual bool searchesBeams() const = 0;
    /// Of so many beams (none: as many as the recipe says, `topk` at least), all where `topk` is
    /// above 1: a text may be among them twice.
    virtual void keep(int64_t topk, std::optional<int64_t> beamSize) = 0;
    /// Of these features (Task::features), of each row at least one, best first. Called as
    /// Task::run(). Words have no frames.
    virtual std::vector<std::vector<decode::CtcHypothesis>> nBest(
        const data::Batch& batch, const torch::Tensor& features)
        = 0;
};

} // namespace earwright::train
