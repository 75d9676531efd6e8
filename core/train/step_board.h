#pragma once

#include "core/distributed/group.h"
#include "core/train/readings.h"

#include <optional>
#include <torch/torch.h>

namespace kymo::train {

/// What all ranks know of a step once their numbers are added up.
struct BoardEntry {
    Reading reading; ///< loss is now the global one, seconds the slowest rank's are not: rank 0's
    bool stop = false; ///< some rank asked for it
    bool checkpoint = false;
};

/// Adds up each step's numbers over the ranks in the background, a step late: the global loss, and
/// whether any rank was asked to stop or to save. All ranks see the same entries in the same order,
/// so they stop at the same step.
class StepBoard final {
public:
    explicit StepBoard(const distributed::Group& group)
        : m_group(group)
    {
    }
    /// Starts adding up one step; at most one is under way.
    void post(Reading reading, bool stop, bool checkpoint);
    /// Waits for the one under way.
    std::optional<BoardEntry> take();

private:
    const distributed::Group& m_group;
    std::optional<Reading> m_reading;
    std::vector<torch::Tensor> m_sums;
    c10::intrusive_ptr<c10d::Work> m_work;
};

} // namespace kymo::train
