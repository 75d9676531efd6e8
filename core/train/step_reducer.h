#pragma once

#include "core/distributed/group.h"
#include "core/train/step_metrics.h"

#include <optional>
#include <torch/types.h>

namespace earwright::train {

/// What a rank wants all to do after the step; once added up, what some rank wanted.
struct Votes {
    bool stop = false;
    bool checkpoint = false;
    bool pause = false;
    double learningRate = 0; ///< to be set; 0 = none. At most one rank may ask for it.
};

/// What all ranks know once they have added it up.
struct ReducedStep {
    std::optional<Reading> reading; ///< loss is now the global one; seconds and waits are rank 0's
    Votes votes;
};

/// Adds up over the ranks, in the background, the latest step whose numbers are there and what any
/// rank was asked to do. All ranks see the same entries in the same order, so they do it at the
/// same step.
class StepReducer final {
public:
    explicit StepReducer(const distributed::Group& group)
        : m_group(group)
    {
    }
    /// Starts adding up; at most one entry is under way.
    void begin(std::optional<Reading> reading, const Votes& votes);
    /// Waits for the one under way, which is there.
    ReducedStep finish();

private:
    const distributed::Group& m_group;
    std::optional<Reading> m_reading;
    std::vector<torch::Tensor> m_sums;
    c10::intrusive_ptr<c10d::Work> m_work;
};

} // namespace earwright::train
