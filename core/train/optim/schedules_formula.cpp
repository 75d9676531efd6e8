#include "core/train/optim/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace earwright::train {

namespace {

double real(int64_t steps)
{
    return static_cast<double>(steps);
}

double noamScale(int64_t step, int64_t warmup, std::optional<int64_t> modelSize)
{
    const double normalize = modelSize ? 1 / std::sqrt(real(*modelSize)) : std::sqrt(real(warmup));
    return normalize
        * std::min(std::pow(real(step), -0.5), real(step) * std::pow(real(warmup), -1.5));
}

} // namespace

StepSchedule::Rate noam(const catalog::NoamSchedulerConfig& config)
{
    return [config](int64_t step, double) {
        return config.lrInitial * noamScale(step, config.nWarmupSteps, config.modelSize);
    };
}

StepSchedule::Rate noamInterval(const catalog::NoamIntervalSchedulerConfig& config)
{
    return [config](int64_t step, double) {
        double scale = noamScale(step, config.nWarmupSteps, config.modelSize);
        for (size_t i = 0; i < std::min(config.annealSteps.size(), config.annealRates.size()); ++i)
            if (step > config.annealSteps[i])
                scale *= config.annealRates[i];
        return config.lrInitial * scale;
    };
}

StepSchedule::Rate linearNoam(const catalog::LinearNoamSchedulerConfig& config)
{
    return [config](int64_t step, double) {
        if (step < config.nWarmupSteps)
            return config.lrInitial * (real(step) / real(config.nWarmupSteps));
        if (step < config.nKeepSteps + config.nWarmupSteps)
            return config.lrInitial;
        return config.lrInitial * (real(config.nWarmupSteps) / real(step - config.nKeepSteps));
    };
}

StepSchedule::Rate linearWarmup(const catalog::LinearWarmupSchedulerConfig& config)
{
    return [config](int64_t step, double) {
        if (step < config.numWarmupSteps)
            return real(step) / real(std::max<int64_t>(1, config.numWarmupSteps))
                * config.initialValue;
        const int64_t falling
            = std::max<int64_t>(1, config.numTrainingSteps - config.numWarmupSteps);
        return config.initialValue
            * std::max(0.0, real(config.numTrainingSteps - step) / real(falling));
    };
}

StepSchedule::Rate warmAndExpDecay(const catalog::WarmAndExpDecayLrScheduleConfig& config)
{
    return [config](int64_t step, double) {
        const int64_t done = step - 1;
        if (done < config.nWarmupSteps)
            return config.lr * real(done) / real(config.nWarmupSteps);
        const double part
            = real(done - config.nWarmupSteps) / real(config.totalSteps - config.nWarmupSteps);
        return std::min(config.lr, config.lr * std::pow(config.decayFactor, part));
    };
}

StepSchedule::Rate warmCoolDecay(const catalog::WarmCoolDecayLrScheduleConfig& config)
{
    return [config](int64_t step, double) {
        const double power = std::log(config.decayFactor) / real(config.decayEvery);
        const int64_t coolFrom = config.totalSteps - config.cooldown;
        if (step < config.warmup)
            return config.lr * real(step) / real(config.warmup);
        if (step <= coolFrom)
            return config.lr * std::exp(power * real(step - config.warmup));
        const double base = config.lr * std::exp(power * real(coolFrom));
        return base - base / real(config.cooldown) * real(step - coolFrom);
    };
}

StepSchedule::Rate triStage(const catalog::TriStageLrScheduleConfig& config)
{
    return [config](int64_t step, double) {
        const double first = config.initLrScale * config.lr;
        if (step < config.warmupSteps)
            return first + (config.lr - first) / real(config.warmupSteps) * real(step);
        if (step < config.warmupSteps + config.holdSteps)
            return config.lr;
        const double decay = -std::log(config.finalLrScale) / real(config.decaySteps);
        return config.lr * std::exp(-decay * real(step - config.holdSteps - config.warmupSteps));
    };
}

StepSchedule::Rate inverseSquareRoot(const catalog::InverseSquareRootSchedulerConfig& config)
{
    return [config](int64_t step, double) {
        return 1 / std::sqrt(real(std::max(config.warmupSteps, step)));
    };
}

StepSchedule::Rate cyclicCosine(const catalog::CyclicCosineSchedulerConfig& config)
{
    return [config](int64_t step, double current) {
        const double phase
            = std::numbers::pi * real(step - config.nWarmupSteps) / real(config.totalSteps);
        return config.lrInitial.value_or(current) * (0.5 * (std::cos(phase) + 1));
    };
}

StepSchedule::Rate cyclicLr(const catalog::CyclicLrSchedulerConfig& config)
{
    return [config](int64_t step, double) {
        const double cycle = std::floor(1 + real(step) / (2 * config.stepSize));
        const double x = std::abs(real(step) / config.stepSize - 2 * cycle + 1);
        double scale = 1;
        if (config.mode == "triangular2")
            scale = 1 / std::pow(2.0, cycle - 1);
        else if (config.mode == "exp_range")
            scale = std::pow(config.gamma, real(step));
        return config.baseLr + (config.maxLr - config.baseLr) * std::max(0.0, 1 - x) * scale;
    };
}

StepSchedule::Rate interval(const catalog::IntervalSchedulerConfig& config)
{
    std::vector<catalog::IntervalSchedulerConfig::Interval> intervals;
    for (const recipe::NodePtr& item : config.intervals->items)
        intervals.push_back(catalog::IntervalSchedulerConfig::read(*item).value());
    return [intervals](int64_t step, double current) {
        for (const auto& entry : intervals)
            if (entry.steps == step)
                return entry.lr;
        return current;
    };
}

EpochSchedule::Rate linearOverEpochs(const catalog::LinearSchedulerConfig& config)
{
    return [config](int64_t epoch) {
        const double last = real(std::max<int64_t>(1, config.epochCount - 1));
        const double part = std::min(1.0, real(epoch) / last);
        return config.initialValue + (config.finalValue - config.initialValue) * part;
    };
}

EpochSchedule::Rate stepOverEpochs(const catalog::StepSchedulerConfig& config)
{
    constexpr double kFactor = 0.5;
    constexpr double kDrop = 2;
    const bool isHalfLife = config.halfLife.value_or(0) > 0;
    const double factor = isHalfLife ? std::exp(-std::numbers::ln2 / *config.halfLife)
                                     : config.decayFactor.value_or(kFactor);
    const double drop = isHalfLife ? 1.0 : config.decayDrop.value_or(kDrop);
    return [initial = config.initialValue, factor, drop](int64_t epoch) {
        return initial * std::pow(factor, std::floor(real(1 + epoch) / drop));
    };
}

} // namespace earwright::train
