#pragma once

#include "core/train/loop/non_finite_check.h"
#include "core/train/loop/reporter.h"
#include "core/train/loop/run_control.h"
#include "core/train/step_metrics.h"
#include "core/train/step_reducer.h"

#include <optional>
#include <vector>

namespace earwright::train {

/// The numbers of the steps, a step late, and with them what the ranks were asked for: one small
/// sum over the ranks each step. Tells the Reporter, the NonFiniteCheck and the RunControl.
class StepSync final {
public:
    struct Listeners {
        RunControl& control;
        Reporter& reporter;
        NonFiniteCheck& nonFinite;
    };
    StepSync(const TrainerContext& context, const Progress& progress, const Listeners& listeners)
        : m_in(context)
        , m_progress(progress)
        , m_to(listeners)
        , m_metrics(context.device)
        , m_reducer(context.group)
    {
    }

    /// A stretch of steps begins.
    void start() { m_metrics.start(); }
    /// As StepMetrics::push().
    void push(Reading known, const std::vector<torch::Tensor>& values)
    {
        m_metrics.push(std::move(known), values);
    }
    /// Begins to add up the numbers of the step before and what this rank was asked for until now.
    void beginStepSync();
    /// Takes what all ranks now know: the numbers go to the log, the rest to the RunControl.
    /// Errors: those of NonFiniteCheck.
    Status finishStepSync();
    /// The last step's numbers too, for which the device is waited for.
    Status flushMetrics();

private:
    const TrainerContext& m_in;
    const Progress& m_progress;
    const Listeners m_to;
    StepMetrics m_metrics;
    StepReducer m_reducer;
};

} // namespace earwright::train
