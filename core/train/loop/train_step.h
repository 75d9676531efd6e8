#pragma once

#include "core/data/loader.h"
#include "core/train/loop/run_control.h"
#include "core/train/loop/step_sync.h"
#include "core/train/loop/training_state.h"

namespace earwright::train {

/// Takes one optimizer step: its micro-batches, their gradients, the weights' change. Changes the
/// model and the step and batches of the progress.
class TrainStep final {
public:
    TrainStep(
        const TrainerContext& context, TrainingState& state, RunControl& control, StepSync& sync)
        : m_in(context)
        , m_train(state.data.train)
        , m_model(state.model)
        , m_progress(state.progress)
        , m_control(control)
        , m_sync(sync)
    {
    }

    /// Takes the step of the next batches, and begins the StepSync that its caller finishes. False
    /// where the epoch has no more. Errors: an unreadable utterance.
    Result<bool> take(data::Loader& loader);

private:
    struct Window; ///< the micro-batches of one optimizer step

    Result<bool> fillWindow(data::Loader& loader, Window& window);
    void forwardBackward(const data::Batch& batch, double share, bool last, Window& window);
    Reading readingOf(const Window& window) const;
    void optimizerStep(Window& window);

    const TrainerContext& m_in;
    const Split& m_train;
    TrainingModel& m_model;
    Progress& m_progress;
    RunControl& m_control;
    StepSync& m_sync;
};

} // namespace earwright::train
