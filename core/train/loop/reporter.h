#pragma once

#include "core/train/loop/training_state.h"
#include "core/train/step_metrics.h"
#include "core/train/trainer_context.h"

#include <string>

namespace earwright::train {

/// Tells the run's log, and whoever watches, where training is and what its steps gave.
class Reporter final {
public:
    Reporter(const TrainerContext& context, const Progress& progress)
        : m_in(context)
        , m_progress(progress)
    {
    }

    /// prepare | train | validate | test | checkpoint | pause
    void enterPhase(const std::string& phase);
    /// Between epochs the one that just ended.
    int64_t epochReached() const;
    void scalar(const std::string& tag, double value, int64_t step);
    /// What begins, once all is prepared.
    void announce(const TrainingData& data, TrainingModel& trained);
    /// The curves of a step, of rank 0.
    void reportReading(const Reading& reading);

private:
    void announceParts(const TrainingData& data, TrainingModel& trained);
    void reportMemory(const DeviceMemory& memory, int64_t step);

    const TrainerContext& m_in;
    const Progress& m_progress;
    double m_lastScale = 0; ///< the loss scale of the step before; 0 = none
};

/// The phase that evaluates a stage's splits.
std::string phaseOf(Stage stage);

/// Optimizer steps of an epoch.
int64_t stepsPerEpoch(const Split& train, const plan::RunOptions& options);

/// Tells of a batch that did not fit into memory, and by which settings none would be so large.
void reportNotFitting(
    const TrainerContext& context, const TrainingState& state, const NotFitting& found);

} // namespace earwright::train
