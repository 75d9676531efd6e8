#pragma once

#include "core/data/batch.h"

#include <cstdint>
#include <torch/types.h>

namespace earwright::train {

/// A task with a CTC output: what a beam search reads of it.
class CtcOutput {
public:
    virtual ~CtcOutput() = default;
    /// Of these features (Task::features): [B, T, V] log-probabilities. Called as Task::run().
    virtual torch::Tensor ctcLogProbs(const data::Batch& batch, const torch::Tensor& features) = 0;
    virtual int64_t blankIndex() const = 0;
};

} // namespace earwright::train
