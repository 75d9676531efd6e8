#include "core/train/loop/train_step.h"

#include "core/data/hash.h"
#include "core/model/transformer/layer_drop.h"
#include "core/precision/census.h"

namespace earwright::train {

namespace {

/// A step far enough in that lazy initialisation is over, early enough that every run has it.
constexpr int64_t kCensusStep = 2;

/// Of the layers that a batch of an epoch leaves out.
uint64_t layerSeed(int64_t seed, int64_t epoch, int64_t batch)
{
    uint64_t mixed = 0;
    for (const int64_t part : { seed, epoch, batch })
        mixed = data::mixBits(mixed + static_cast<uint64_t>(part));
    return mixed;
}

} // namespace

struct TrainStep::Window {
    std::vector<data::Batch> batches;
    torch::Tensor loss; ///< of the micro-batches so far, weighted
    double wait = 0;
};

Result<bool> TrainStep::take(data::Loader& loader)
{
    Window window;
    const Result<bool> filled = fillWindow(loader, window);
    if (filled && *filled)
        optimizerStep(window);
    return filled;
}

Result<bool> TrainStep::fillWindow(data::Loader& loader, Window& window)
{
    const double waitedBefore = loader.waitSeconds();
    for (int64_t i = 0; i < m_in.plan.options.gradAccumulationFactor; ++i) {
        Result<std::optional<data::Batch>> batch = loader.next();
        if (!batch)
            return batch.error();
        if (!*batch)
            break;
        window.batches.push_back(std::move(**batch));
    }
    window.wait = loader.waitSeconds() - waitedBefore;
    // Dynamic batches fill the memory there is: padded to the longest of several, they would not
    // fit.
    if (!m_train.batching.dynamic)
        padAlike(window.batches);
    joinToStep(window.batches);
    return !window.batches.empty();
}

/// `share`: see Note [Parts of a batch].
void TrainStep::forwardBackward(const data::Batch& batch, double share, bool last, Window& window)
{
    m_model.isRepeated = batch.wholeSize < m_in.group.size();
    const torch::Tensor loss = m_model.pass->run(batch, share, last);
    window.loss = window.loss.defined() ? window.loss + loss : loss;
}

/// What the host knows of the step that was just taken.
Reading TrainStep::readingOf(const Window& window) const
{
    Reading reading;
    reading.step = m_progress.step;
    reading.dataWait = window.wait;
    reading.reduceWait = m_model.sync->waitSeconds();
    reading.learningRate = m_model.optimization->rate();
    reading.encoderLearningRate = m_model.optimization->encoderRate();
    reading.memory = deviceMemory(m_in.device);
    for (const data::Batch& batch : window.batches)
        reading.utterances.insert(reading.utterances.end(), batch.ids.begin(), batch.ids.end());
    return reading;
}

void TrainStep::optimizerStep(Window& window)
{
    const plan::RunOptions& options = m_in.plan.options;
    std::optional<precision::Census> census;
    if (m_progress.step + 1 == kCensusStep)
        census.emplace();
    m_in.requests.at("train", m_progress.step + 1);
    m_model.task->startStep(m_progress.step);
    m_model.optimization->beginStep(m_progress);
    const std::vector<double> shares
        = sharesOf(window.batches, m_model.task->lossUnit(), m_in.group.size());
    for (size_t i = 0; i < window.batches.size(); ++i) {
        const model::LayerChoice layers(layerSeed(
            options.seed, m_progress.epoch, m_progress.batchesDone + static_cast<int64_t>(i)));
        forwardBackward(window.batches[i], shares[i], i + 1 == window.batches.size(), window);
    }
    // Here the ranks are at the same place: what any was asked for until now holds after this step,
    // and the weights change while it is added up.
    m_sync.beginStepSync();
    const precision::StepResult result
        = m_model.precision->step(m_model.optimization->dueOptimizers(m_progress.step),
            options.maxGradNorm, options.skipNonfiniteGrads);
    m_model.sync->zeroGradients();
    m_progress.step += 1;
    m_progress.batchesDone += static_cast<int64_t>(window.batches.size());
    if (options.ckptIntervalSteps > 0 && m_progress.step % options.ckptIntervalSteps == 0)
        m_control.askForSave();
    const torch::Tensor noScale = torch::zeros({}, window.loss.options());
    m_sync.push(readingOf(window),
        { window.loss, result.gradNorm, result.foundInf,
            result.lossScale.defined() ? result.lossScale : noScale });
    m_model.optimization->afterStep();
    if (census)
        m_in.events.write(
            { .payload = run::DtypeCensus { .stage = "train", .shareByDtype = census->shares() } });
}

} // namespace earwright::train
