#include "core/train/loop/optimization.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/recipe/resolve.h"
#include "core/train/loop/stored_tensors.h"
#include "core/train/optim/parameter_groups.h"

#include <c10/util/Exception.h>

namespace earwright::train {

Result<std::unique_ptr<Optimization>> Optimization::make(
    const TrainerContext& context, const ModuleSet& modules)
{
    std::unique_ptr<Optimization> made(new Optimization(context, modules));
    const Status built = made->build();
    if (!built)
        return built.error();
    return made;
}

Status Optimization::build()
{
    const auto& [opt, annealing, second, ofEncoder] = m_in.plan.settings.optimizer;
    if (!opt)
        return Error { "the recipe names no optimizer: set opt_class" };
    if (second) // what is wrong with it is told now, not after the first stage
        if (const auto later = makeOptimizerOf(*second->optimizer); !later)
            return later.error();
    m_secondStage = second;
    auto made = makeOptimizerOf(*opt);
    if (!made)
        return made.error();
    m_optimizer = std::move(*made);
    m_recipeRate = learningRate(*m_optimizer);
    m_scheduleOf = sha256Hex(annealing ? recipe::emitYaml(*annealing) : "");
    std::vector<recipe::Diagnostic> diagnostics;
    if (auto schedule = makeSchedule(annealing.get(), diagnostics))
        m_schedule = std::make_unique<ScaledSchedule>(std::move(schedule));
    const Status right = recipe::firstError(diagnostics);
    return right ? buildEncoder() : right;
}

/// Where the recipe has one.
Status Optimization::buildEncoder()
{
    const settings::OptimizerSettings& settings = m_in.plan.settings.optimizer;
    if (!settings.ofEncoder)
        return Done {};
    auto made = EncoderLearning::make(*settings.ofEncoder,
        divideParameters(m_modules, settings).ofEncoder, m_in.plan.options.removeVectorWeightDecay);
    if (!made)
        return made.error();
    m_encoder = std::move(*made);
    if (const recipe::NodePtr& schedule = settings.ofEncoder->schedule)
        m_scheduleOf = sha256Hex(m_scheduleOf + recipe::emitYaml(*schedule));
    return Done {};
}

Result<std::unique_ptr<torch::optim::Optimizer>> Optimization::makeOptimizerOf(
    const recipe::Node& optClass) const
{
    const settings::OptimizerSettings& settings = m_in.plan.settings.optimizer;
    const auto groups
        = parameterGroups(*m_in.plan.recipe, divideParameters(m_modules, settings).others);
    if (!groups)
        return groups.error();
    std::vector<recipe::Diagnostic> diagnostics;
    auto made
        = makeOptimizer(optClass, *groups, diagnostics, m_in.plan.options.removeVectorWeightDecay);
    if (const Status right = recipe::firstError(diagnostics); !right)
        return right.error();
    return made;
}

void Optimization::setTotalSteps(int64_t steps)
{
    m_totalSteps = steps;
    m_schedule->setTotalSteps(m_totalSteps);
    if (m_encoder)
        m_encoder->setTotalSteps(m_totalSteps);
}

void Optimization::start(Progress& progress)
{
    progress.scheduleOf = m_scheduleOf;
    progress.totalSteps = m_totalSteps;
    setLearningRate(*m_optimizer, m_schedule->firstRate(learningRate(*m_optimizer)));
    if (m_encoder)
        m_encoder->start();
}

/// The optimizer begins anew, at its own rate.
void Optimization::enterSecondStage()
{
    auto made = makeOptimizerOf(*m_secondStage->optimizer);
    TORCH_CHECK(made, made ? "" : made.error().message); // build() has made one
    m_optimizer = std::move(*made);
    m_recipeRate = learningRate(*m_optimizer); // of which a schedule is laid out anew
    m_isInSecondStage = true;
}

void Optimization::beginStep(const Progress& progress)
{
    if (!m_secondStage || m_isInSecondStage || progress.epoch <= m_secondStage->afterEpochs)
        return;
    enterSecondStage();
    setLearningRate(*m_optimizer, m_schedule->factor() * m_recipeRate);
    if (m_in.group.isMain())
        m_in.events.write(
            { .payload = run::Message { "info",
                  "epoch " + std::to_string(progress.epoch)
                      + ": 'SGD' is the optimizer from here on, at the learning rate "
                      + formatNumber(learningRate(*m_optimizer)) + " (stage_one_epochs is "
                      + std::to_string(m_secondStage->afterEpochs) + ")" } });
}

std::vector<torch::optim::Optimizer*> Optimization::dueOptimizers(int64_t stepsDone)
{
    std::vector<torch::optim::Optimizer*> due { m_optimizer.get() };
    if (m_encoder && m_encoder->isDue(stepsDone))
        due.push_back(&m_encoder->optimizer());
    return due;
}

void Optimization::afterStep()
{
    setLearningRate(*m_optimizer, m_schedule->afterStep(learningRate(*m_optimizer)));
    if (m_encoder)
        m_encoder->afterStep();
}

void Optimization::afterEpoch(double metric, bool isCut)
{
    setLearningRate(*m_optimizer, m_schedule->afterEpoch(learningRate(*m_optimizer), metric));
    if (m_encoder) {
        isCut ? m_encoder->keepBefore() : m_encoder->forgetBefore();
        m_encoder->afterEpoch(metric);
    }
}

void Optimization::changeRate(double rate, int64_t stepsDone)
{
    const double now = learningRate(*m_optimizer);
    const double before = stepsDone == 0 ? m_recipeRate * m_schedule->factor() : now;
    if (before > 0)
        m_schedule->scale(rate / before);
    if (m_encoder && before > 0)
        m_encoder->scale(rate / before);
    setLearningRate(*m_optimizer, before == now ? rate : now * (rate / before));
}

std::optional<double> Optimization::encoderRate() const
{
    return m_encoder ? std::optional(m_encoder->rate()) : std::nullopt;
}

} // namespace earwright::train
