#pragma once

#include "core/train/loop/evaluator.h"
#include "core/train/loop/non_finite_check.h"

#include <set>
#include <string>
#include <vector>

namespace earwright::train {

/// The test at the end of a run, with its best weights. Changes the model's.
class Tester final {
public:
    Tester(const TrainerContext& context, TrainingState& state, CheckpointStore& checkpoints,
        Evaluator& evaluator, const NonFiniteCheck& nonFinite)
        : m_in(context)
        , m_state(state)
        , m_checkpoints(checkpoints)
        , m_evaluator(evaluator)
        , m_nonFinite(nonFinite)
    {
    }

    /// Stopped where it was interrupted: the last checkpoint stands, its run tests again.
    Result<Outcome> test();

private:
    Result<std::vector<std::string>> loadTestWeights();
    std::set<std::string> testsDone(const std::vector<std::string>& checkpoints);

    const TrainerContext& m_in;
    TrainingState& m_state;
    CheckpointStore& m_checkpoints;
    Evaluator& m_evaluator;
    const NonFiniteCheck& m_nonFinite;
};

} // namespace earwright::train
