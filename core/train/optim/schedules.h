#pragma once

#include "core/catalog/configs/schedule.h"
#include "core/catalog/configs/scheduler.h"
#include "core/train/optim/schedule.h"

#include <functional>

namespace earwright::train {

/// A rate that depends on the number of optimizer steps done, and perhaps on the rate before.
class StepSchedule final : public Schedule {
public:
    /// step counts from 1.
    using Rate = std::function<double(int64_t step, double current)>;

    explicit StepSchedule(Rate rate)
        : m_rate(std::move(rate))
    {
    }
    double afterStep(double current) override { return m_rate(++m_steps, current); }
    std::optional<double> replayed(double first) override;
    std::string state() const override;
    Status restore(const std::string& state) override;

private:
    Rate m_rate;
    int64_t m_steps = 0;
};

/// A rate that depends on the number of epochs done.
class EpochSchedule final : public Schedule {
public:
    /// epoch counts from 1.
    using Rate = std::function<double(int64_t epoch)>;

    explicit EpochSchedule(Rate rate)
        : m_rate(std::move(rate))
    {
    }
    double afterEpoch(double, double) override { return m_rate(++m_epochs); }
    std::optional<double> replayed(double first) override
    {
        return m_epochs > 0 ? m_rate(m_epochs) : first;
    }
    std::string state() const override;
    Status restore(const std::string& state) override;

private:
    Rate m_rate;
    int64_t m_epochs = 0;
};

/// Multiplies the rate after an epoch whose relative gain over the epoch before it (not over the
/// best) is below the threshold. A good epoch does not refill the patience. Keeps its own rate, as
/// upstream: the first is initial_value.
class NewBob final : public Schedule {
public:
    explicit NewBob(const catalog::NewBobSchedulerConfig& config);
    double afterEpoch(double current, double metric) override;
    std::optional<double> replayed(double first) override;
    std::string state() const override;
    Status restore(const std::string& state) override;

private:
    catalog::NewBobSchedulerConfig m_config;
    double m_rate;
    std::vector<double> m_metrics;
    int64_t m_patience;
};

class ReduceOnPlateau final : public Schedule {
public:
    explicit ReduceOnPlateau(const catalog::ReduceLrOnPlateauConfig& config)
        : m_config(config)
    {
    }
    double afterEpoch(double current, double metric) override;
    std::string state() const override;
    Status restore(const std::string& state) override;

private:
    bool isWorse(double metric);

    catalog::ReduceLrOnPlateauConfig m_config;
    int64_t m_epochs = 0;
    double m_anchor = 99999;
    int64_t m_waited = 0;
};

/// Linear rise to the optimizer's rate, constant, linear fall to `final` of it, over the steps of
/// the run. Without setTotalSteps the rate stays as it is.
class WarmupHoldDecay final : public Schedule {
public:
    explicit WarmupHoldDecay(const catalog::WarmupHoldDecayConfig& config)
        : m_config(config)
    {
    }
    void setTotalSteps(int64_t steps) override { m_totalSteps = steps; }
    double firstRate(double current) override;
    double afterStep(double current) override;
    std::optional<double> replayed(double first) override;
    std::string state() const override;
    Status restore(const std::string& state) override;

private:
    double rateOf(int64_t step) const;

    catalog::WarmupHoldDecayConfig m_config;
    int64_t m_totalSteps = 0;
    int64_t m_steps = 0;
    double m_peak = 0;
};

/// FunASR's WarmupLR: the rate rises to the optimizer's, then falls with the inverse square root of
/// the step. Unlike SpeechBrain's schedules it sets the rate of the first step too.
class WarmupLr final : public Schedule {
public:
    explicit WarmupLr(const catalog::WarmupLrConfig& config)
        : m_config(config)
    {
    }
    double firstRate(double current) override;
    double afterStep(double current) override;
    std::optional<double> replayed(double) override { return rate(); }
    std::string state() const override;
    Status restore(const std::string& state) override;

private:
    double rate() const; ///< of the step that comes

    catalog::WarmupLrConfig m_config;
    int64_t m_steps = 0;
    double m_peak = 0;
};

// The formulas, as upstream has them with their oddities.
StepSchedule::Rate noam(const catalog::NoamSchedulerConfig& config);
StepSchedule::Rate noamInterval(const catalog::NoamIntervalSchedulerConfig& config);
StepSchedule::Rate linearNoam(const catalog::LinearNoamSchedulerConfig& config);
StepSchedule::Rate linearWarmup(const catalog::LinearWarmupSchedulerConfig& config);
StepSchedule::Rate warmAndExpDecay(
    const catalog::WarmAndExpDecayLrScheduleConfig& config); ///< gives 0 after the first step
StepSchedule::Rate warmCoolDecay(const catalog::WarmCoolDecayLrScheduleConfig&
        config); ///< jumps at the cooldown, negative past the end
StepSchedule::Rate triStage(const catalog::TriStageLrScheduleConfig& config); ///< decays for ever
StepSchedule::Rate inverseSquareRoot(
    const catalog::InverseSquareRootSchedulerConfig& config); ///< ignores the optimizer's rate
StepSchedule::Rate cyclicCosine(const catalog::CyclicCosineSchedulerConfig& config);
StepSchedule::Rate cyclicLr(const catalog::CyclicLrSchedulerConfig& config);
StepSchedule::Rate interval(const catalog::IntervalSchedulerConfig& config);
EpochSchedule::Rate linearOverEpochs(
    const catalog::LinearSchedulerConfig& config); ///< holds its last value past its last epoch
EpochSchedule::Rate stepOverEpochs(const catalog::StepSchedulerConfig& config);

} // namespace earwright::train
