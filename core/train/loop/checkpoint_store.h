#pragma once

#include "core/train/loop/reporter.h"
#include "core/train/loop/run_control.h"
#include "core/train/loop/training_state.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace earwright::train {

/// A generator's state on every rank, one row a rank, by its name in a checkpoint.
using GeneratorStates = std::map<std::string, torch::Tensor>;

/// Saves where a run stands and brings it back. All ranks call each function together, but for
/// saveAlone(). restore() changes the whole state.
class CheckpointStore final {
public:
    CheckpointStore(const TrainerContext& context, TrainingState& state, RunControl& control,
        Reporter& reporter)
        : m_in(context)
        , m_model(state.model)
        , m_progress(state.progress)
        , m_control(control)
        , m_reporter(reporter)
    {
    }

    /// How many of the best are kept.
    size_t kept() const { return static_cast<size_t>(m_in.plan.options.avgCheckpoints); }
    GeneratorStates gatherGenerators() const;
    /// What each rank knows of batches that do not fit, for the next save.
    void gatherMemoryPlans();
    /// `metric`: Checkpoint::metric. Throws on every rank where rank 0 cannot write.
    Status save(bool best, double metric = -1);
    /// On rank 0, in the middle of a validation: with the generators as they were before it, which
    /// does not use them. Throws where it cannot be written.
    void saveAlone(const GeneratorStates& generators);

    /// The run's last one; nothing where none was ever saved. Throws where there are some and none
    /// can be read: to start anew would throw their steps away.
    Result<std::optional<Checkpoint>> last();
    /// One that rank 0 has chosen, as it is there.
    Result<Checkpoint> shared(const std::filesystem::path& path);
    /// Errors: one that is damaged, or of another model.
    Status restore(const Checkpoint& state);

private:
    std::string nameOfLast(const std::filesystem::path& folder);
    Checkpoint checkpoint(const GeneratorStates& generators);
    Status write(const Checkpoint& state, bool best);
    Status restoreMemoryPlan();

    const TrainerContext& m_in;
    TrainingModel& m_model;
    Progress& m_progress;
    RunControl& m_control;
    Reporter& m_reporter;
};

} // namespace earwright::train
