#include "core/train/optim/schedule.h"

#include "core/catalog/catalog.h"
#include "core/catalog/read.h"
#include "core/train/optim/schedules.h"

#include <map>

namespace kymo::train {

namespace {

using Diagnostics = std::vector<recipe::Diagnostic>;
using Made = std::unique_ptr<Schedule>;
using Make = std::function<Made(const recipe::Node&, Diagnostics&)>;

class ConstantRate final : public Schedule {
public:
    std::string state() const override { return "{}"; }
    void restore(const std::string&) override { }
};

template <class Config>
Make bySteps(StepSchedule::Rate (*rate)(const Config&))
{
    return [rate](const recipe::Node& node, Diagnostics& diagnostics) {
        return std::make_unique<StepSchedule>(rate(catalog::readConfig<Config>(node, diagnostics)));
    };
}

template <class Config>
Make byEpochs(EpochSchedule::Rate (*rate)(const Config&))
{
    return [rate](const recipe::Node& node, Diagnostics& diagnostics) {
        return std::make_unique<EpochSchedule>(
            rate(catalog::readConfig<Config>(node, diagnostics)));
    };
}

template <class Type, class Config>
Make ofClass()
{
    return [](const recipe::Node& node, Diagnostics& diagnostics) {
        return std::make_unique<Type>(catalog::readConfig<Config>(node, diagnostics));
    };
}

Made makeInterval(const recipe::Node& node, Diagnostics& diagnostics)
{
    return std::make_unique<StepSchedule>(
        interval(catalog::readConfig<IntervalConfig>(node, diagnostics), diagnostics));
}

const std::map<std::string, Make, std::less<>>& schedules()
{
    static const std::string kUpstream = "speechbrain.nnet.schedulers.";
    static const std::map<std::string, Make, std::less<>> kTable = {
        { kUpstream + "NewBobScheduler", ofClass<NewBob, catalog::NewBobSchedulerConfig>() },
        { kUpstream + "ReduceLROnPlateau", ofClass<ReduceOnPlateau, ReduceOnPlateauConfig>() },
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
        { kUpstream + "IntervalScheduler", makeInterval },
        { kUpstream + "LinearScheduler", byEpochs(linearOverEpochs) },
        { kUpstream + "StepScheduler", byEpochs(stepOverEpochs) },
        { "funasr.schedulers.warmup_lr.WarmupLR", ofClass<WarmupLr, catalog::WarmupLrConfig>() },
        { "kymo.schedulers.WarmupHoldDecay", ofClass<WarmupHoldDecay, WarmupHoldDecayConfig>() },
    };
    return kTable;
}

std::string className(const recipe::Node& node)
{
    const std::string_view written
        = recipe::newClass(node).empty() ? recipe::nameClass(node) : recipe::newClass(node);
    const catalog::ClassInfo* info = catalog::findClass(written);
    return info != nullptr ? info->name : std::string(written);
}

} // namespace

std::unique_ptr<Schedule> makeSchedule(
    const recipe::Node* node, std::vector<recipe::Diagnostic>& diagnostics)
{
    if (node == nullptr || recipe::isNull(*node))
        return std::make_unique<ConstantRate>();
    const auto found = schedules().find(className(*node));
    if (found == schedules().end()) {
        diagnostics.push_back({ recipe::Severity::Error, "unknown-schedule",
            std::string("'").append(className(*node))
                + "' is not a learning-rate schedule that Kymo has; NewBobScheduler and "
                  "NoamScheduler are",
            node->span, {} });
        return nullptr;
    }
    Diagnostics own;
    Made schedule = found->second(*node, own);
    diagnostics.insert(diagnostics.end(), own.begin(), own.end());
    return recipe::hasErrors(own) ? nullptr : std::move(schedule);
}

} // namespace kymo::train
