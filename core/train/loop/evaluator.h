#pragma once

#include "core/train/evaluation.h"
#include "core/train/loop/request_handler.h"

#include <string>
#include <vector>

namespace earwright::train {

/// Validates and tests: scores a split on all ranks, and writes what came of it into the run.
class Evaluator final {
public:
    Evaluator(const TrainerContext& context, TrainingState& state, Reporter& reporter,
        CheckpointStore& checkpoints, RequestHandler& requests)
        : m_in(context)
        , m_data(state.data)
        , m_model(state.model)
        , m_progress(state.progress)
        , m_reporter(reporter)
        , m_checkpoints(checkpoints)
        , m_requests(requests)
    {
    }

    /// `checkpoints`: whose weights they are, of a test. Errors: an unreadable utterance, a file
    /// that cannot be written.
    Result<Evaluation> evaluateSplit(
        const Split& split, Stage stage, const std::vector<std::string>& checkpoints = {});

private:
    void shareBuffers();
    std::string countHotwords(const Split& split, Evaluation& scores) const;
    Status record(const Split& split, Stage stage, const Evaluation& scores,
        const std::string& hotwords, const std::vector<std::string>& checkpoints);

    const TrainerContext& m_in;
    const TrainingData& m_data;
    TrainingModel& m_model;
    const Progress& m_progress;
    Reporter& m_reporter;
    CheckpointStore& m_checkpoints;
    RequestHandler& m_requests;
    bool m_isProved = false; ///< the census of the first evaluation is written
};

} // namespace earwright::train
