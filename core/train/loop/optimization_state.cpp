#include "core/train/loop/optimization.h"

#include "core/base/text.h"
#include "core/train/left_to_do.h"
#include "core/train/loop/stored_tensors.h"

#include <utility>

namespace earwright::train {

namespace {

/// EncoderLearning's, in a checkpoint.
const std::string kEncoderState = "encoder.";

/// Whose optimizer's state a checkpoint holds: 1 or 2; of a recipe with a second stage.
constexpr const char* kStage = "stage";

} // namespace

Tensors Optimization::state() const
{
    Tensors training;
    for (const auto& [name, tensor] : optimizerState(*m_optimizer))
        training["optimizer." + name] = onCpu(tensor);
    if (m_encoder)
        for (const auto& [name, tensor] : m_encoder->state())
            training[kEncoderState + name] = onCpu(tensor);
    if (m_secondStage)
        training[kStage] = torch::tensor({ int64_t { m_isInSecondStage ? 2 : 1 } }, torch::kInt64);
    training["lr"] = torch::tensor({ learningRate(*m_optimizer) }, torch::kFloat64);
    return training;
}

void Optimization::restoreOptimizer(const Tensors& training)
{
    // One without a stage is of an older version: of the first optimizer, and beginStep() enters
    // the second stage.
    const auto stage = training.find(kStage);
    if (m_secondStage && stage != training.end() && stage->second.item<int64_t>() == 2)
        enterSecondStage();
    restoreOptimizerState(*m_optimizer, withPrefix(training, "optimizer."));
}

Status Optimization::restoreEncoder(const Checkpoint& checkpoint)
{
    if (!m_encoder)
        return Done {};
    const StoredTensors saved = withPrefix(checkpoint.training, kEncoderState);
    return m_encoder->restore(
        { saved.begin(), saved.end() }, goesOnInCutEpoch(checkpoint.progress, m_in.plan.options));
}

Status Optimization::restoreSchedule(const Progress& saved, double rate, Progress& progress)
{
    progress = saved;
    progress.attempt = m_in.attempt;
    const CutEpoch cut = std::exchange(progress.cut, {});
    const bool goesOnInIt = goesOnInCutEpoch(saved, m_in.plan.options);
    if (goesOnInIt) {
        progress.epoch -= 1;
        progress.batchesDone = cut.batchesDone;
    } else {
        progress.cut = cut;
    }
    const Status restored = m_schedule->restore(goesOnInIt ? cut.schedule : saved.schedule);
    if (!restored)
        return restored;
    setLearningRate(*m_optimizer, goesOnInIt ? cut.learningRate : rate);
    layOutAnew(saved);
    progress.scheduleOf = m_scheduleOf;
    progress.totalSteps = m_totalSteps;
    return Done {};
}

/// The rates of a run with other arguments or another number of steps than it was saved with are
/// those of one that had them from the start.
void Optimization::layOutAnew(const Progress& progress)
{
    const bool isAnother = progress.scheduleOf != m_scheduleOf;
    if (progress.scheduleOf.empty() || (!isAnother && progress.totalSteps == m_totalSteps))
        return;
    const double before = learningRate(*m_optimizer);
    const std::optional<double> rate = m_schedule->replayed(m_recipeRate);
    if (rate)
        setLearningRate(*m_optimizer, *rate);
    tellLaidOut("learning rate", { before, rate, isAnother });
    if (!m_encoder)
        return;
    const double ofEncoder = m_encoder->rate();
    const std::optional<double> encoderRate = m_encoder->layOutAnew();
    tellLaidOut("learning rate of 'wav2vec2'", { ofEncoder, encoderRate, isAnother });
}

void Optimization::tellLaidOut(const std::string& what, const LaidOut& rate)
{
    const auto& [before, now, isAnother] = rate;
    if (!m_in.group.isMain() || (now ? *now == before : !isAnother))
        return;
    m_in.events.write(
        { .payload = run::Message { now ? "info" : "warning",
              now ? "the " + what + " is " + formatNumber(*now) + " in place of "
                      + formatNumber(before) + ", as of a run that had this schedule from its start"
                  : "a schedule has other settings now; the " + what
                      + " goes on from the rate of before, " + formatNumber(before) } });
}

} // namespace earwright::train
