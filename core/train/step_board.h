#pragma once

#include "core/distributed/group.h"
#include "core/train/readings.h"

#include <optional>
#include <torch/torch.h>

namespace kymo::train {

/// What a rank wants all to do after the step; once added up, what some rank wanted.
struct Votes {
    bool stop = false;
    bool checkpoint = false;
    bool pause = false;
    double learningRate = 0; ///< to be set; 0 = none. At most one rank may ask for it.
};

/// What all ranks know of a step once their numbers are added up.
struct BoardEntry {
    Reading reading; ///< loss is now the global one, seconds the slowest rank's are not: rank 0's
    Votes votes;
};

/// Adds up each step's numbers over the ranks in the background, a step late: the global loss, and
/// what any rank was asked to do. All ranks see the same entries in the same order, so they do it
/// at the same step.
class StepBoard final {
public:
    explicit StepBoard(const distributed::Group& group)
        : m_group(group)
    {
    }
    /// Starts adding up one step; at most one is under way.
    void post(Reading reading, const Votes& votes);
    /// Waits for the one under way.
    std::optional<BoardEntry> take();

private:
    const distributed::Group& m_group;
    std::optional<Reading> m_reading;
    std::vector<torch::Tensor> m_sums;
    c10::intrusive_ptr<c10d::Work> m_work;
};

} // namespace kymo::train
