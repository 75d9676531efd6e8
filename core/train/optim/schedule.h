#pragma once

#include "core/base/result.h"
#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace earwright::train {

/// A learning-rate schedule of speechbrain.nnet.schedulers. State as JSON, so that a resumed run
/// goes on as if never stopped. Calls: setTotalSteps once, firstRate once in a fresh run (restore
/// in a resumed one), then afterStep after every optimizer step (a skipped one too, as upstream)
/// and afterEpoch after every validation. Each returns `current` where it changes nothing.
class Schedule {
public:
    virtual ~Schedule() = default;
    /// Optimizer steps of the whole run, for a schedule that is laid out over it
    /// (earwright.schedulers.WarmupHoldDecay).
    virtual void setTotalSteps(int64_t steps) { (void)steps; }
    /// The rate of the first step, from the optimizer's own. Upstream's schedules leave it: they
    /// act only after a step.
    virtual double firstRate(double current) { return current; }
    /// After an optimizer step (Noam). The rate to use from now on.
    virtual double afterStep(double current) { return current; }
    /// After an epoch's validation (NewBob). `metric` is the validation loss, of a
    /// recipe on phones their error rate.
    virtual double afterEpoch(double current, double metric)
    {
        (void)metric;
        return current;
    }
    /// The rate of the next step as if the schedule had had its arguments and total steps from the
    /// start, where a resumed run has others than it was saved with. `first` is the optimizer's own
    /// rate. Nothing where only a run that began so could tell.
    virtual std::optional<double> replayed(double first)
    {
        (void)first;
        return std::nullopt;
    }
    virtual std::string state() const = 0;
    /// The error says what is not as state() gives it: a checkpoint may be damaged.
    virtual Status restore(const std::string& state) = 0;
};

/// The classes that makeSchedule() builds, as the catalogue names them.
std::vector<std::string> scheduleClasses();

/// Null with a diagnostic where the class is unknown or its arguments do not fit. A null node gives
/// a constant rate.
std::unique_ptr<Schedule> makeSchedule(
    const recipe::Node* node, std::vector<recipe::Diagnostic>& diagnostics);

} // namespace earwright::train
