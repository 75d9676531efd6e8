#pragma once

#include "core/train/optim/schedule.h"

#include <memory>

namespace earwright::train {

/// A schedule whose rates are all multiplied by a factor: what a learning rate set by hand in the
/// middle of a run means for the rates to come, whatever the schedule. The factor goes into the
/// state.
class ScaledSchedule final : public Schedule {
public:
    explicit ScaledSchedule(std::unique_ptr<Schedule> inner)
        : m_inner(std::move(inner))
    {
    }

    /// From now on as if every rate were `ratio` times as large.
    void scale(double ratio) { m_factor *= ratio; }
    double factor() const { return m_factor; }

    void setTotalSteps(int64_t steps) override { m_inner->setTotalSteps(steps); }
    double firstRate(double current) override { return m_inner->firstRate(current); }
    double afterStep(double current) override
    {
        return m_factor * m_inner->afterStep(current / m_factor);
    }
    double afterEpoch(double current, double metric) override
    {
        return m_factor * m_inner->afterEpoch(current / m_factor, metric);
    }
    std::optional<double> replayed(double first) override;
    std::string state() const override;
    Status restore(const std::string& state) override;

private:
    std::unique_ptr<Schedule> m_inner;
    double m_factor = 1;
};

} // namespace earwright::train
