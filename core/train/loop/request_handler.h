#pragma once

#include "core/train/loop/checkpoint_store.h"
#include "core/train/loop/run_control.h"
#include "core/train/loop/step_sync.h"

#include <string>

namespace earwright::train {

/// Does what a run is asked for: between two steps what all ranks have agreed on, in an evaluation
/// what rank 0 can answer by itself.
class RequestHandler final {
public:
    /// What it works with; all outlive it.
    struct Parts {
        TrainingState& state; ///< of it only the learning rates change
        RunControl& control;
        Reporter& reporter;
        StepSync& sync;
        CheckpointStore& checkpoints;
    };
    RequestHandler(const TrainerContext& context, const Parts& parts)
        : m_in(context)
        , m_with(parts)
    {
    }

    /// Before the first step of an epoch: what was asked for in the preparation or the validation
    /// before it holds from that step on. All ranks meet here.
    Status handleRequests();
    /// Between two steps: does what all ranks have agreed on.
    Status applyRequests();
    /// Between two batches of a validation or test: what it is told while it stands still is done
    /// there too. `generators` are those before it. False where the run is to stop.
    bool goOnEvaluating(Stage stage, const GeneratorStates& generators);

private:
    void changeLearningRate(double rate);
    Status standStill();
    void answerAlone(Stage stage, const GeneratorStates& generators);

    const TrainerContext& m_in;
    const Parts m_with;
};

} // namespace earwright::train
