#include "core/train/optim/schedule.h"

#include "core/base/keys.h"
#include "core/catalog/read.h"
#include "core/train/optim/class_name.h"
#include "core/train/optim/schedules.h"

#include <map>

namespace earwright::train {

namespace {

using MadeSchedule = std::unique_ptr<Schedule>;
using Make = std::function<MadeSchedule(const recipe::Node&, Diagnostics&)>;

class ConstantRate final : public Schedule {
public:
    std::optional<double> replayed(double first) override { return first; }
    std::string state() const override { return "{}"; }
    Status restore(const std::string&) override { return Done {}; }
};

/// None where an argument is wrong, which is reported.
template <class Config>
std::optional<Config> read(const recipe::Node& node, Diagnostics& diagnostics)
{
    Diagnostics own;
    const auto config = catalog::readConfig<Config>(node, own);
    diagnostics.insert(diagnostics.end(), own.begin(), own.end());
    return recipe::hasErrors(own) ? std::nullopt : std::optional(config);
}

template <class Config>
Make bySteps(StepSchedule::Rate (*rate)(const Config&))
{
    return [rate](const recipe::Node& node, Diagnostics& diagnostics) -> MadeSchedule {
        const auto config = read<Config>(node, diagnostics);
        return config ? std::make_unique<StepSchedule>(rate(*config)) : nullptr;
    };
}

template <class Config>
Make byEpochs(EpochSchedule::Rate (*rate)(const Config&))
{
    return [rate](const recipe::Node& node, Diagnostics& diagnostics) -> MadeSchedule {
        const auto config = read<Config>(node, diagnostics);
        return config ? std::make_unique<EpochSchedule>(rate(*config)) : nullptr;
    };
}

template <class Type, class Config>
Make ofClass()
{
    return [](const recipe::Node& node, Diagnostics& diagnostics) -> MadeSchedule {
        const auto config = read<Config>(node, diagnostics);
        return config ? std::make_unique<Type>(*config) : nullptr;
    };
}

const std::map<std::string, Make, std::less<>>& schedules()
{
    static const std::string kUpstream = "speechbrain.nnet.schedulers.";
    static const std::map<std::string, Make, std::less<>> kTable = {
        { kUpstream + "NewBobScheduler", ofClass<NewBob, catalog::NewBobSchedulerConfig>() },
        { kUpstream + "ReduceLROnPlateau",
            ofClass<ReduceOnPlateau, catalog::ReduceLrOnPlateauConfig>() },
        { kUpstream + "NoamScheduler", bySteps(noam) },
        { kUpstream + "NoamIntervalScheduler", bySteps(noamInterval) },
        { kUpstream + "LinearNoamScheduler", bySteps(linearNoam) },
        { kUpstream + "LinearWarmupScheduler", bySteps(linearWarmup) },
        { kUpstream + "WarmAndExpDecayLRSchedule", bySteps(warmAndExpDecay) },
        { kUpstream + "WarmCoolDecayLRSchedule", bySteps(warmCoolDecay) },
        { kUpstream + "TriStageLRSchedule", bySteps(triStage) },
        { kUpstream + "InverseSquareRootScheduler", bySteps(inverseSquareRoot) },
        { kUpstream + "CyclicCosineScheduler", bySteps(cyclicCosine) },
        { kUpstream + "CyclicLRScheduler", bySteps(cyclicLr) },
        { kUpstream + "IntervalScheduler", bySteps(interval) },
        { kUpstream + "LinearScheduler", byEpochs(linearOverEpochs) },
        { kUpstream + "StepScheduler", byEpochs(stepOverEpochs) },
        { "funasr.schedulers.warmup_lr.WarmupLR", ofClass<WarmupLr, catalog::WarmupLrConfig>() },
        { "earwright.schedulers.WarmupHoldDecay",
            ofClass<WarmupHoldDecay, catalog::WarmupHoldDecayConfig>() },
    };
    return kTable;
}

} // namespace

std::vector<std::string> scheduleClasses()
{
    return keysOf(schedules());
}

std::unique_ptr<Schedule> makeSchedule(
    const recipe::Node* node, std::vector<recipe::Diagnostic>& diagnostics)
{
    if (node == nullptr || recipe::isNull(*node))
        return std::make_unique<ConstantRate>();
    if (recipe::newClass(*node).empty()) {
        diagnostics.push_back({ recipe::Severity::Error, "unknown-schedule",
            "a learning-rate schedule is an object: write !new:, such as "
            "!new:speechbrain.nnet.schedulers.NewBobScheduler",
            node->span, {} });
        return nullptr;
    }
    const auto found = schedules().find(className(*node));
    if (found == schedules().end()) {
        diagnostics.push_back({ recipe::Severity::Error, "unknown-schedule",
            std::string("'").append(className(*node))
                + "' is not a learning-rate schedule that Earwright has: use one of "
                  "speechbrain.nnet.schedulers, such as NewBobScheduler",
            node->span, {} });
        return nullptr;
    }
    return found->second(*node, diagnostics);
}

} // namespace earwright::train
