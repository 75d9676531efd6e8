#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kymo::train {

/// A learning-rate schedule of speechbrain.nnet.schedulers. State as JSON, so that a resumed run goes on as if never stopped.
class Schedule {
public:
    virtual ~Schedule() = default;
    /// After an optimizer step (Noam). The rate to use from now on.
    virtual double afterStep(double current) { return current; }
    /// After an epoch's validation (NewBob). `metric` is the validation loss.
    virtual double afterEpoch(double current, double metric)
    {
        (void)metric;
        return current;
    }
    virtual std::string state() const = 0;
    virtual void restore(const std::string& state) = 0;
};

/// Null with a diagnostic where the class is unknown. A null node gives a constant rate.
std::unique_ptr<Schedule> makeSchedule(const recipe::Node* node, std::vector<recipe::Diagnostic>& diagnostics);

} // namespace kymo::train
