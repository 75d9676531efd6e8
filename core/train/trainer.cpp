#include "core/train/trainer.h"

#include "core/base/text.h"
#include "core/data/hash.h"
#include "core/model/transformer/layer_drop.h"
#include "core/precision/census.h"
#include "core/settings/manifest_keys.h"
#include "core/train/clock.h"
#include "core/train/getting_on.h"
#include "core/train/left_to_do.h"
#include "core/train/weights/average.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/load_weights.h"

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

struct Trainer::Window {
    std::vector<data::Batch> batches;
    torch::Tensor loss; ///< of the micro-batches so far, weighted
    bool last = false; ///< the epoch ends with it
    double wait = 0;
};

Result<Outcome> Trainer::run()
{
    if (!m_isPrepared)
        return Outcome::Stopped;
    m_lastSaveTime = now();
    while (hasEpochsLeft() && !m_stop) {
        const Result<Outcome> trained = epoch();
        if (!trained)
            return trained;
        if (*trained == Outcome::Stopped)
            break;
        const Status finished = finishEpoch();
        if (!finished)
            return finished.error();
    }
    if (m_stop) {
        const Status saved = save(false);
        if (!saved)
            return saved.error();
        return Outcome::Stopped;
    }
    // An import without training is to be had as the weights of any other run.
    if (m_progress.step == 0)
        if (const Status saved = save(false); !saved)
            return saved.error();
    const Status tested = test();
    if (!tested)
        return tested.error();
    // Stopped while testing the best weights: the last checkpoint stands, its run tests again.
    return m_stop ? Outcome::Stopped : Outcome::Done;
}

/// One that was interrupted between its last step and its end has that still to come.
bool Trainer::hasEpochsLeft() const
{
    return train::hasEpochsLeft(m_progress, m_in.plan.options);
}

/// The steps' limit ends a run within an epoch.
bool Trainer::isEpochCut() const
{
    return m_progress.batchesDone > 0 && m_progress.batchesDone < m_epochBatches;
}

Result<Outcome> Trainer::epoch()
{
    enterPhase("train");
    if (const Status heeded = heed(); !heeded)
        return heeded.error();
    if (m_stop)
        return Outcome::Stopped;
    m_task->startEpoch(m_progress.epoch);
    m_train.loader.epoch = m_progress.epoch;
    auto batches = data::makeBatches(*m_train.utterances, m_train.batching,
        static_cast<uint64_t>(m_in.plan.options.seed), m_progress.epoch);
    m_epochBatches = std::ssize(batches);
    batches.erase(batches.begin(),
        batches.begin() + std::min<ptrdiff_t>(std::ssize(batches), m_progress.batchesDone));
    data::Loader loader(m_train.utterances, std::move(batches), m_encoder, m_train.loader);
    const int64_t limit = m_in.plan.options.optimizerStepLimit;
    m_readings.start();
    while (!m_stop && (limit == 0 || m_progress.step < limit)) {
        Window window;
        const Result<bool> filled = fillWindow(loader, window);
        if (!filled)
            return filled.error();
        if (!*filled)
            break;
        optimizerStep(window);
        Status reported = checkReplicas(false);
        if (reported)
            reported = take();
        if (reported)
            reported = obey();
        if (!reported)
            return reported.error();
    }
    const Status reported = report();
    if (!reported)
        return reported.error();
    return m_stop ? Outcome::Stopped : Outcome::Done;
}

Result<bool> Trainer::fillWindow(data::Loader& loader, Window& window)
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
void Trainer::forwardBackward(const data::Batch& batch, double share, bool last, Window& window)
{
    m_isRepeated = batch.wholeSize < m_in.group.size();
    const torch::Tensor loss = m_pass->run(batch, share, last);
    window.loss = window.loss.defined() ? window.loss + loss : loss;
}

/// What the host knows of the step that was just taken.
Reading Trainer::readingOf(const Window& window) const
{
    Reading reading;
    reading.step = m_progress.step;
    reading.dataWait = window.wait;
    reading.reduceWait = m_sync->waitSeconds();
    reading.learningRate = learningRate(*m_optimizer);
    if (m_encoderLearning)
        reading.encoderLearningRate = m_encoderLearning->rate();
    reading.memory = deviceMemory(m_in.device);
    for (const data::Batch& batch : window.batches)
        reading.utterances.insert(reading.utterances.end(), batch.ids.begin(), batch.ids.end());
    return reading;
}

/// Applies settings that depend on the training's progress. Upstream makes the second stage's
/// optimizer before the first batch of the epoch, and calls the schedule after each step as before.
void Trainer::beginStep()
{
    m_task->startStep(m_progress.step);
    if (!m_secondStage || m_isInSecondStage || m_progress.epoch <= m_secondStage->afterEpochs)
        return;
    enterSecondStage();
    setLearningRate(*m_optimizer, m_schedule->factor() * m_recipeRate);
    if (m_in.group.isMain())
        m_in.events.write(
            { .payload = run::Message { "info",
                  "epoch " + std::to_string(m_progress.epoch)
                      + ": 'SGD' is the optimizer from here on, at the learning rate "
                      + formatNumber(learningRate(*m_optimizer)) + " (stage_one_epochs is "
                      + std::to_string(m_secondStage->afterEpochs) + ")" } });
}

std::vector<torch::optim::Optimizer*> Trainer::dueOptimizers()
{
    std::vector<torch::optim::Optimizer*> due { m_optimizer.get() };
    if (m_encoderLearning && m_encoderLearning->isDue(m_progress.step))
        due.push_back(&m_encoderLearning->optimizer());
    return due;
}

void Trainer::optimizerStep(Window& window)
{
    const plan::RunOptions& options = m_in.plan.options;
    std::optional<precision::Census> census;
    if (m_progress.step + 1 == kCensusStep)
        census.emplace();
    m_in.requests.at("train", m_progress.step + 1);
    beginStep();
    const std::vector<double> shares
        = sharesOf(window.batches, m_task->lossUnit(), m_in.group.size());
    for (size_t i = 0; i < window.batches.size(); ++i) {
        const model::LayerChoice layers(layerSeed(
            options.seed, m_progress.epoch, m_progress.batchesDone + static_cast<int64_t>(i)));
        forwardBackward(window.batches[i], shares[i], i + 1 == window.batches.size(), window);
    }
    // Here the ranks are at the same place: what any was asked for until now holds after this step,
    // and the weights change while it is added up.
    post();
    const precision::StepResult result
        = m_precision->step(dueOptimizers(), options.maxGradNorm, options.skipNonfiniteGrads);
    m_sync->zeroGradients();
    m_progress.step += 1;
    m_progress.batchesDone += static_cast<int64_t>(window.batches.size());
    m_saveNow = m_saveNow
        || (options.ckptIntervalSteps > 0 && m_progress.step % options.ckptIntervalSteps == 0);
    const torch::Tensor noScale = torch::zeros({}, window.loss.options());
    m_readings.push(readingOf(window),
        { window.loss, result.gradNorm, result.foundInf,
            result.lossScale.defined() ? result.lossScale : noScale });
    setLearningRate(*m_optimizer, m_schedule->afterStep(learningRate(*m_optimizer)));
    if (m_encoderLearning)
        m_encoderLearning->afterStep();
    if (census)
        m_in.events.write(
            { .payload = run::DtypeCensus { .stage = "train", .shareByDtype = census->shares() } });
}

Status Trainer::finishEpoch()
{
    if (const Status same = checkReplicas(true); !same)
        return same;
    bool best = false;
    double badness = -1; // of the weights as they are saved
    double metric = m_progress.validLoss;
    if (m_valid.utterances) {
        const Result<Evaluation> scores = evaluateSplit(m_valid, Stage::Valid);
        if (!scores)
            return scores.error();
        if (scores->interrupted) {
            m_stop = true; // at the end of the epoch's steps: a resumed run validates again
            return heed(); // a learning rate that was set meanwhile goes into the checkpoint
        }
        // Upstream's scripts that train on phones anneal by the error rate.
        metric = settings::trainsOnPhones(*m_in.plan.recipe) ? scores->wer.percent() : scores->loss;
        badness = badnessOf(*scores, m_in.plan.options);
        // Of equals the newer, as upstream: it has seen more.
        best = m_progress.bestMetric < 0 || badness <= m_progress.bestMetric;
        if (best)
            m_progress.bestMetric = badness;
    }
    m_progress.validLoss = metric;
    m_progress.cut = {};
    if (isEpochCut())
        m_progress.cut
            = { m_progress.batchesDone, m_schedule->state(), learningRate(*m_optimizer) };
    setLearningRate(*m_optimizer, m_schedule->afterEpoch(learningRate(*m_optimizer), metric));
    if (m_encoderLearning) {
        isEpochCut() ? m_encoderLearning->keepBefore() : m_encoderLearning->forgetBefore();
        m_encoderLearning->afterEpoch(metric);
    }
    m_progress.epoch += 1;
    m_progress.batchesDone = 0;
    return save(best || !m_valid.utterances, badness);
}

/// Rank 0 chooses and averages, and all read the same file. Weights only: what else a checkpoint
/// holds is of training, which is over. Returns the names of the checkpoints whose mean it is; none
/// where a run without a step began with weights that cannot be saved: these are tested.
Result<std::vector<std::string>> Trainer::loadTestWeights()
{
    const std::filesystem::path folder = m_in.folder.checkpoints();
    std::vector<std::string> notFinite = m_in.group.gatherText(m_firstNonFinite.value_or(""));
    std::erase(notFinite, "");
    const std::string name = m_in.group.runOnMain("test weights", [&]() -> std::string {
        if (!lastCheckpoint(folder)) {
            if (m_progress.step > 0)
                throw std::runtime_error("there are no weights to test: they were not finite "
                                         "whenever a checkpoint was due"
                    + (notFinite.empty() ? "" : "; first was " + join(notFinite, ", ")));
            return {};
        }
        const auto chosen = judgedCheckpoint(folder, keptCheckpoints(), folder);
        if (!chosen)
            throw std::runtime_error(chosen.error().message);
        return chosen->filename();
    });
    if (name.empty())
        return std::vector<std::string> {};
    const std::filesystem::path path = folder / name;
    Result<Checkpoint> checkpoint = sharedCheckpoint(path);
    if (!checkpoint)
        return checkpoint.error();
    if (const Status loaded = loadWeights(*m_task, std::move(checkpoint->model), path); !loaded)
        return loaded.error();
    std::vector<std::string> names;
    for (const CheckpointPart& part : checkpoint->averaged)
        names.push_back(part.name);
    if (!names.empty() && m_in.group.isMain())
        m_in.events.write({ .payload = run::Message { "info",
                                "the test takes the mean of the weights of " + join(names, ", ")
                                    + ": checkpoints/" + name } });
    return names.empty() ? std::vector<std::string> { name } : names;
}

/// Of an attempt that was cut off in a later one: curves and tables have each once. Rank 0 says it.
std::set<std::string> Trainer::testsDone(const std::vector<std::string>& checkpoints)
{
    if (m_in.attempt == 0)
        return {};
    const std::vector<std::string> done
        = split(m_in.group.runOnMain("tests that are done",
                    [&]() -> std::string {
                        const GettingOn reading(m_in.group.pulse());
                        const std::set<std::string> names
                            = testedBefore(m_in.folder, m_in.plan, m_progress.step, checkpoints);
                        return join({ names.begin(), names.end() }, "\n");
                    }),
            '\n');
    return { done.begin(), done.end() };
}

Status Trainer::test()
{
    if (m_tests.empty())
        return Done {};
    if (const Status ready = m_task->readyFor(Stage::Test); !ready)
        return ready;
    const Result<std::vector<std::string>> checkpoints = loadTestWeights();
    if (!checkpoints)
        return checkpoints.error();
    const std::set<std::string> done = testsDone(*checkpoints);
    for (const Split& split : m_tests) {
        if (done.contains(split.name))
            continue;
        const Result<Evaluation> scores = evaluateSplit(split, Stage::Test, *checkpoints);
        if (!scores)
            return scores.error();
        m_stop = scores->interrupted;
        if (m_stop)
            break;
    }
    return Done {};
}

} // namespace earwright::train
