#include "core/train/trainer.h"

#include "core/settings/manifest_keys.h"
#include "core/train/left_to_do.h"
#include "core/train/loop/data_check.h"
#include "core/train/loop/data_setup.h"
#include "core/train/loop/dry_run.h"
#include "core/train/loop/model_setup.h"

#include <algorithm>

namespace earwright::train {

Trainer::Trainer(const TrainerContext& context)
    : m_in(context)
    , m_control(m_in)
    , m_reporter(m_in, m_state.progress)
    , m_nonFinite(m_in)
    , m_sync(m_in, m_state.progress, { m_control, m_reporter, m_nonFinite })
    , m_checkpoints(m_in, m_state, m_control, m_reporter)
    , m_requests(m_in, { m_state, m_control, m_reporter, m_sync, m_checkpoints })
    , m_step(m_in, m_state, m_control, m_sync)
    , m_evaluator(m_in, m_state, m_reporter, m_checkpoints, m_requests)
    , m_tester(m_in, m_state, m_checkpoints, m_evaluator, m_nonFinite)
{
}

Result<std::unique_ptr<Trainer>> Trainer::make(const TrainerContext& context)
{
    std::unique_ptr<Trainer> trainer(new Trainer(context));
    const Result<Outcome> prepared = trainer->prepare();
    if (!prepared)
        return prepared.error();
    trainer->m_prepared = *prepared;
    return trainer;
}

Result<Outcome> Trainer::run()
{
    if (m_prepared == Outcome::Stopped)
        return Outcome::Stopped;
    m_control.startSaveInterval();
    // One that was interrupted between its last step and its end has that still to come.
    while (hasEpochsLeft(m_state.progress, m_in.plan.options)) {
        Result<Outcome> trained = epoch();
        if (trained && *trained == Outcome::Done)
            trained = finishEpoch();
        if (!trained)
            return trained;
        if (*trained == Outcome::Stopped) {
            const Status saved = m_checkpoints.save(false);
            return saved ? trained : saved.error();
        }
    }
    // An import without training is to be had as the weights of any other run.
    if (m_state.progress.step == 0)
        if (const Status saved = m_checkpoints.save(false); !saved)
            return saved.error();
    return m_tester.test();
}

Result<Outcome> Trainer::epoch()
{
    m_reporter.enterPhase("train");
    if (const Status handled = m_requests.handleRequests(); !handled)
        return handled.error();
    if (m_control.isStopping())
        return Outcome::Stopped;
    data::Loader loader = startEpoch();
    const int64_t limit = m_in.plan.options.optimizerStepLimit;
    m_sync.start();
    while (!m_control.isStopping() && (limit == 0 || m_state.progress.step < limit)) {
        const Result<bool> taken = m_step.take(loader);
        if (!taken)
            return taken.error();
        if (!*taken)
            break;
        Status done = checkReplicas(false);
        if (done)
            done = m_sync.finishStepSync();
        if (done)
            done = m_requests.applyRequests();
        if (!done)
            return done.error();
    }
    if (const Status flushed = m_sync.flushMetrics(); !flushed)
        return flushed.error();
    return m_control.isStopping() ? Outcome::Stopped : Outcome::Done;
}

/// Its batches that are still to come.
data::Loader Trainer::startEpoch()
{
    const Progress& progress = m_state.progress;
    Split& train = m_state.data.train;
    m_state.model.task->startEpoch(progress.epoch);
    train.loader.epoch = progress.epoch;
    auto batches = data::makeBatches(*train.utterances, train.batching,
        static_cast<uint64_t>(m_in.plan.options.seed), progress.epoch);
    m_epochBatches = std::ssize(batches);
    batches.erase(batches.begin(),
        batches.begin() + std::min<ptrdiff_t>(std::ssize(batches), progress.batchesDone));
    return data::Loader(train.utterances, std::move(batches), m_state.data.encoder, train.loader);
}

/// The steps' limit ends a run within an epoch.
bool Trainer::isEpochCut() const
{
    const int64_t done = m_state.progress.batchesDone;
    return done > 0 && done < m_epochBatches;
}

/// Validates, anneals and saves.
Result<Outcome> Trainer::finishEpoch()
{
    if (const Status same = checkReplicas(true); !same)
        return same.error();
    const Split& valid = m_state.data.valid;
    Progress& progress = m_state.progress;
    Optimization& optimization = *m_state.model.optimization;
    bool best = false;
    double badness = -1; // of the weights as they are saved
    double metric = progress.validLoss;
    if (valid.utterances) {
        const Result<Evaluation> scores = m_evaluator.evaluateSplit(valid, Stage::Valid);
        if (!scores)
            return scores.error();
        if (scores->interrupted) {
            m_control.stop(); // at the end of the epoch's steps: a resumed run validates again
            // A learning rate that was set meanwhile goes into the checkpoint.
            if (const Status handled = m_requests.handleRequests(); !handled)
                return handled.error();
            return Outcome::Stopped;
        }
        // Upstream's scripts that train on phones anneal by the error rate.
        metric = m_in.plan.settings.task.trainsOnPhones ? scores->wer.percent() : scores->loss;
        badness = badnessOf(*scores, m_in.plan.options);
        // Of equals the newer, as upstream: it has seen more.
        best = progress.bestMetric < 0 || badness <= progress.bestMetric;
        if (best)
            progress.bestMetric = badness;
    }
    progress.validLoss = metric;
    progress.cut = {};
    if (isEpochCut())
        progress.cut = { progress.batchesDone, optimization.scheduleState(), optimization.rate() };
    optimization.afterEpoch(metric, isEpochCut());
    progress.epoch += 1;
    progress.batchesDone = 0;
    if (const Status saved = m_checkpoints.save(best || !valid.utterances, badness); !saved)
        return saved.error();
    return Outcome::Done;
}

/// Every replica_check_interval steps, and at the end of an epoch.
Status Trainer::checkReplicas(bool atEpochEnd)
{
    const int64_t interval = m_in.plan.options.replicaCheckInterval;
    const int64_t step = m_state.progress.step;
    const bool isDue = interval > 0 && (atEpochEnd || step % interval == 0);
    if (!isDue || m_in.group.size() == 1)
        return Done {};
    const std::string difference
        = distributed::compareReplicas(m_in.group, m_state.model.parameters);
    if (difference.empty())
        return Done {};
    return Error { "replicas have diverged at step " + std::to_string(step) + ": parameter "
        + difference };
}

/// Stopped where the run is to leave before there is anything to save.
Result<Outcome> Trainer::prepare()
{
    m_reporter.enterPhase("prepare");
    const Result<Outcome> read = DataSetup(m_in, m_control, m_state.data).readData();
    if (!read || *read == Outcome::Stopped)
        return read;
    if (const Status built = ModelSetup(m_in, m_state).buildModel(); !built)
        return built.error();
    if (const Status resumed = resume(); !resumed)
        return resumed.error();
    DataCheck check(m_in, m_control, m_state);
    check.compareData();
    if (check.inspectData() == Outcome::Stopped)
        return Outcome::Stopped;
    if (const Status used = checkUnused(m_in, m_state); !used)
        return used.error();
    m_reporter.announce(m_state.data, m_state.model);
    return Outcome::Done;
}

/// Where there is a checkpoint, else begins.
Status Trainer::resume()
{
    const plan::RunOptions& options = m_in.plan.options;
    m_state.progress.attempt = m_in.attempt;
    // Each rank draws its own dropout masks; the initial weights above were drawn alike.
    torch::manual_seed(static_cast<uint64_t>(options.seed + 7919 * m_in.group.rank()));
    const int64_t limit = options.optimizerStepLimit;
    const int64_t inEpochs = stepsPerEpoch(m_state.data.train, options) * options.numberOfEpochs;
    Optimization& optimization = *m_state.model.optimization;
    optimization.setTotalSteps(limit > 0 ? std::min(limit, inEpochs) : inEpochs);
    const Result<std::optional<Checkpoint>> last = m_checkpoints.last();
    if (!last)
        return last.error();
    if (*last)
        return m_checkpoints.restore(**last);
    optimization.start(m_state.progress);
    return ModelSetup(m_in, m_state).loadInitialWeights();
}

} // namespace earwright::train
