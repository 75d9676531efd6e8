#include "tests/model/parity/runners.h"

#include "core/train/optim/schedule.h"

namespace earwright::tests {

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

/// What the schedule keeps, under upstream's names.
void compareKept(const train::Schedule& schedule, const std::string& name, const Finding& expected,
    const std::string& what, Comparison& compare)
{
    compare.equal(what + " " + name, Json::parse(schedule.state()).at(name), expected.whole());
}

/// A metric: NewBob.
void compareMetric(
    train::Schedule& schedule, const Finding& call, const std::string& what, Comparison& compare)
{
    const double rate = schedule.afterEpoch(call.at("old").number(), call.at("metric").number());
    compare.values(what, rate, call.at("new").number(), kExact);
    compareKept(schedule, "current_patient", call.at("patient_left"), what, compare);
}

/// An optimizer. Some calls also return the rates before and after it.
void compareStep(
    train::Schedule& schedule, const Finding& call, const std::string& what, Comparison& compare)
{
    const double before = call.at("lr_before").number();
    const double after = schedule.afterStep(before);
    compare.values(what, after, call.at("lr_after").number(), kExact);
    if (call.contains("returned"))
        compare.values(what + " returned", after, call.at("returned").at(1).number(), kExact);
}

/// One call of upstream, by what it was given: a metric, a metric with its epoch, or an optimizer.
void compareCallOf(
    train::Schedule& schedule, const Finding& call, const std::string& what, Comparison& compare)
{
    if (call.contains("metric"))
        compareMetric(schedule, call, what, compare);
    else if (call.contains("epoch"))
        compare.values(what,
            schedule.afterEpoch(call.at("current").number(), call.at("loss").number()),
            call.at("next").number(), kExact);
    else
        compareStep(schedule, call, what, compare);
}

void runSequence(const Case& test, Comparison& compare)
{
    const auto schedule
        = scheduleOf(test.json.at("upstream").get<std::string>(), test.json.at("constructor"));
    for (const Finding& call : test.finding("sequence").items())
        // Called before the first step too, which Earwright never does.
        if (!call.contains("num_updates") || call.at("num_updates").number() > 0)
            compareCallOf(*schedule, call, "call " + call.key(), compare);
    if (test.json.contains("saved_state"))
        for (const Finding& kept : test.finding("saved_state").items())
            compareKept(*schedule, kept.key(), kept, "at the end", compare);
}

/// Rows are [epoch, rate before, rate after]; the first is epoch 0, before any training.
void runEpochs(const Finding& recorded, const char* className, Comparison& compare)
{
    const auto schedule = scheduleOf(std::string("speechbrain.nnet.schedulers.") + className,
        recorded.at("constructor").whole());
    for (const Finding& row : recorded.at("seq").items())
        if (row.at(0).number() > 0)
            compare.values(className, schedule->afterEpoch(row.at(1).number(), 0),
                row.at(2).number(), { 1e-15, 1e-6 });
}

void runLinearAndStep(const Case& test, Comparison& compare)
{
    runEpochs(test.finding("linear"), "LinearScheduler", compare);
    runEpochs(test.finding("step"), "StepScheduler", compare);
    runEpochs(test.finding("step_half_life"), "StepScheduler", compare);
}

void restore(train::Schedule& schedule, const std::string& state)
{
    if (const Status restored = schedule.restore(state); !restored)
        throw std::runtime_error(restored.error().message);
}

/// FunASR's sets the rate at construction too; `lr` is the optimizer's.
void runWarmup(const Case& test, Comparison& compare)
{
    Json arguments = test.json.at("constructor");
    double rate = arguments.at("lr").get<double>();
    arguments.erase("lr");
    auto schedule = scheduleOf(test.json.at("upstream").get<std::string>(), arguments);
    for (const Finding& entry : test.finding("sequence").items()) {
        rate = entry.contains("step_calls") ? schedule->afterStep(rate) : schedule->firstRate(rate);
        compare.values("rate", rate, entry.at("lr").number(), kExact);
        const auto again = scheduleOf(test.json.at("upstream").get<std::string>(), arguments);
        restore(*again, schedule->state());
        schedule = scheduleOf(test.json.at("upstream").get<std::string>(), arguments);
        restore(*schedule, again->state());
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

} // namespace earwright::tests
