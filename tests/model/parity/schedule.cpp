#include "tests/model/parity/runners.h"

#include "core/train/schedule.h"

namespace kymo::test {

namespace {

constexpr Tolerance kExact { 1e-15, 1e-12 };

std::unique_ptr<train::Schedule> scheduleOf(const std::string& className, const Json& arguments)
{
    std::vector<recipe::Diagnostic> diagnostics;
    auto schedule = train::makeSchedule(constructorNode(className, arguments).get(), diagnostics);
    if (!schedule)
        throw std::runtime_error(diagnostics.front().message);
    return schedule;
}

/// One call of upstream, by what it was given: an optimizer, a metric, or a metric with its epoch.
void compareCallOf(
    train::Schedule& schedule, const Json& entry, const std::string& what, Comparison& compare)
{
    const auto number = [&](const char* key) { return entry.at(key).get<double>(); };
    if (entry.contains("metric"))
        compare.values(
            what, schedule.afterEpoch(number("old"), number("metric")), number("new"), kExact);
    else if (entry.contains("epoch"))
        compare.values(
            what, schedule.afterEpoch(number("current"), number("loss")), number("next"), kExact);
    else
        compare.values(what, schedule.afterStep(number("lr_before")), number("lr_after"), kExact);
}

void runSequence(const Case& test, Comparison& compare)
{
    const auto schedule
        = scheduleOf(test.json.at("upstream").get<std::string>(), test.json.at("constructor"));
    int call = 0;
    for (const Json& entry : test.json.at("sequence")) {
        // Called before the first step too, which Kymo never does.
        if (entry.value("num_updates", 1) > 0)
            compareCallOf(*schedule, entry, "call " + std::to_string(call), compare);
        ++call;
    }
}

/// Rows are [epoch, rate before, rate after]; the first is epoch 0, before any training.
void runEpochs(const Json& recorded, const char* className, Comparison& compare)
{
    const auto schedule = scheduleOf(
        std::string("speechbrain.nnet.schedulers.") + className, recorded.at("constructor"));
    for (const Json& row : recorded.at("seq"))
        if (row[0].get<int>() > 0)
            compare.values(className, schedule->afterEpoch(row[1].get<double>(), 0),
                row[2].get<double>(), { 1e-15, 1e-6 });
}

void runLinearAndStep(const Case& test, Comparison& compare)
{
    runEpochs(test.json.at("linear"), "LinearScheduler", compare);
    runEpochs(test.json.at("step"), "StepScheduler", compare);
    runEpochs(test.json.at("step_half_life"), "StepScheduler", compare);
}

/// FunASR's sets the rate at construction too; `lr` is the optimizer's.
void runWarmup(const Case& test, Comparison& compare)
{
    Json arguments = test.json.at("constructor");
    double rate = arguments.at("lr").get<double>();
    arguments.erase("lr");
    auto schedule = scheduleOf(test.json.at("upstream").get<std::string>(), arguments);
    for (const Json& entry : test.json.at("sequence")) {
        rate = entry.contains("step_calls") ? schedule->afterStep(rate) : schedule->firstRate(rate);
        compare.values("rate", rate, entry.at("lr").get<double>(), kExact);
        const auto again = scheduleOf(test.json.at("upstream").get<std::string>(), arguments);
        again->restore(schedule->state());
        schedule = scheduleOf(test.json.at("upstream").get<std::string>(), arguments);
        schedule->restore(again->state());
    }
}

} // namespace

Runners scheduleRunners()
{
    Runners runners { { "speechbrain.nnet.schedulers.{LinearScheduler,StepScheduler}",
                          runLinearAndStep },
        { "funasr.schedulers.warmup_lr.WarmupLR", runWarmup } };
    for (const char* name : { "CyclicCosineScheduler", "CyclicLRScheduler", "IntervalScheduler",
             "InverseSquareRootScheduler", "LinearNoamScheduler", "LinearWarmupScheduler",
             "NewBobScheduler", "NoamScheduler", "NoamIntervalScheduler", "ReduceLROnPlateau",
             "TriStageLRSchedule", "WarmCoolDecayLRSchedule", "WarmAndExpDecayLRSchedule" })
        runners[std::string("speechbrain.nnet.schedulers.") + name] = runSequence;
    return runners;
}

} // namespace kymo::test
