#pragma once

#include "core/train/loop/checkpoint_store.h"
#include "core/train/loop/evaluator.h"
#include "core/train/loop/non_finite_check.h"
#include "core/train/loop/reporter.h"
#include "core/train/loop/request_handler.h"
#include "core/train/loop/run_control.h"
#include "core/train/loop/step_sync.h"
#include "core/train/loop/tester.h"
#include "core/train/loop/train_step.h"
#include "core/train/loop/training_state.h"
#include "core/train/trainer_context.h"

#include <memory>

namespace earwright::train {

/// One rank's training from the first batch to the test scores: prepare() and then run(). Both only
/// call its parts in turn, each a class of core/train/loop (core/README.md has a picture).
class Trainer final {
public:
    /// Reads the data, builds the model, takes up the last checkpoint if there is one. Errors name
    /// file, line or object.
    static Result<std::unique_ptr<Trainer>> make(const TrainerContext& context);
    Trainer(const Trainer&) = delete;
    Trainer& operator=(const Trainer&) = delete;

    /// Errors: an unreadable utterance, too many non-finite losses, replicas that differ. Throws
    /// c10::Error where a peer is gone.
    Result<Outcome> run();

private:
    explicit Trainer(const TrainerContext& context);
    Result<Outcome> prepare();
    Status resume();
    Result<Outcome> epoch();
    data::Loader startEpoch();
    Result<Outcome> finishEpoch();
    Status checkReplicas(bool atEpochEnd);
    bool isEpochCut() const;

    const TrainerContext m_in;
    TrainingState m_state;
    RunControl m_control;
    Reporter m_reporter;
    NonFiniteCheck m_nonFinite;
    StepSync m_sync;
    CheckpointStore m_checkpoints;
    RequestHandler m_requests;
    TrainStep m_step;
    Evaluator m_evaluator;
    Tester m_tester;
    Outcome m_prepared = Outcome::Stopped; ///< before there was anything to save
    int64_t m_epochBatches = 0; ///< of the epoch under way
};

} // namespace earwright::train
