#pragma once

#include "core/train/loop/training_state.h"
#include "core/train/trainer_context.h"

namespace earwright::train {

/// Builds what is trained: task, searches, optimizer, precision, and the pass that takes a batch
/// through them. All ranks call it together.
class ModelSetup final {
public:
    ModelSetup(const TrainerContext& context, TrainingState& state)
        : m_in(context)
        , m_state(state)
        , m_data(state.data)
        , m_model(state.model)
        , m_task(state.model.task)
    {
    }

    /// Fills the model, its weights drawn. Errors name the object.
    Status buildModel();
    /// The weights of init_param. What they do not have keeps what was drawn: SeACo starts from a
    /// Paraformer. Errors: weights that do not fit, or lack what is frozen.
    Status loadInitialWeights();

private:
    void warnOfHotwords();
    void tellOfPretrained();
    Status loadSearches();
    Status verifyModel();
    void synchroniseStatistics();
    Status buildPass();

    const TrainerContext& m_in;
    TrainingState& m_state;
    const TrainingData& m_data;
    TrainingModel& m_model;
    std::unique_ptr<Task>& m_task; ///< the model's
};

} // namespace earwright::train
