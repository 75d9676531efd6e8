#include "core/base/file.h"
#include "core/model/statistics.h"
#include "core/precision/census.h"
#include "core/train/clock.h"
#include "core/train/trainer.h"

#include <cmath>
#include <numeric>

namespace earwright::train {

namespace {

int64_t elementsOf(const std::vector<std::pair<std::string, torch::Tensor>>& tensors)
{
    return std::accumulate(tensors.begin(), tensors.end(), int64_t { 0 },
        [](int64_t sum, const auto& entry) { return sum + entry.second.numel(); });
}

/// Below it the scale only takes away digits: the gradients are too large for fp16 by themselves,
/// or not finite in any type.
constexpr double kLeastUsefulScale = 1;

/// What to try against numbers that are not finite.
std::string remedy(bool lossFinite, bool scaling)
{
    if (!lossFinite)
        return "lower the learning rate, set max_grad_norm, or look at these utterances";
    if (scaling)
        return "they exceed fp16 at a loss scale below 1 too: use precision: bf16, lower the "
               "learning rate, or look at these utterances";
    return "lower the learning rate, set skip_nonfinite_grads: True, which leaves such steps out, "
           "or look at these utterances";
}

} // namespace

void Trainer::enterPhase(const std::string& phase)
{
    m_in.requests.at(phase, m_progress.step);
    const int64_t epoch = phase == "train" ? m_progress.epoch : epochReached();
    m_in.events.write({ .payload = run::PhaseChanged { phase, epoch, m_progress.step } });
}

std::string Trainer::phaseOf(Stage stage)
{
    return stage == Stage::Train ? "train" : stage == Stage::Valid ? "validate" : "test";
}

/// Between epochs the one that just ended.
int64_t Trainer::epochReached() const
{
    return m_progress.batchesDone == 0 && m_progress.epoch > 1 ? m_progress.epoch - 1
                                                               : m_progress.epoch;
}

void Trainer::announce()
{
    const plan::RunOptions& options = m_in.plan.options;
    m_in.events.write({ .payload = run::RunStarted { .name = m_in.plan.name,
                            .task = options.task,
                            .precision = options.precision,
                            .evalPrecision = options.evalPrecision,
                            .devices = m_in.plan.devices,
                            .numberOfEpochs = options.numberOfEpochs,
                            .stepsPerEpoch = stepsPerEpoch(),
                            .parameterCount = elementsOf(m_task->modules().weights()),
                            .trainedCount = elementsOf(m_parameters),
                            .attempt = m_in.attempt,
                            .resumedStep = m_progress.step } });
    if (!m_in.group.isMain())
        return;
    for (const plan::Provenance& setting : m_in.plan.provenance)
        if (setting.key == "task" && setting.source == "inferred" && m_progress.step == 0)
            m_in.events.write({ .payload = run::Message { "info",
                                    "trained as task " + setting.value + ": " + setting.place } });
    if (options.gradAccumulationFactor > 1)
        announceParts();
}

/// What accumulation cannot make equal to one large batch.
void Trainer::announceParts()
{
    const auto say = [this](const std::string& text) {
        m_in.events.write({ .payload = run::Message { "info", text } });
    };
    for (const auto& [key, layer] : m_task->modules().modules()) {
        if (model::mixesRows(*layer))
            say("'" + key
                + "' normalises by the statistics of one micro-batch at a time: with "
                  "grad_accumulation_factor a step differs from that of one large batch; more "
                  "ranks do not change it");
    }
    if (m_train.batching.dynamic)
        say("accumulated batches of dynamic_batch_sampler are padded each by itself, as alike they "
            "might not fit into memory: a step differs a little from that of one large batch");
}

void Trainer::scalar(const std::string& tag, double value, int64_t step)
{
    m_in.events.write({ .payload = run::Scalar { tag, step, value } });
}

/// The numbers of the step before, and what this rank was asked for until now, go to the board.
void Trainer::post()
{
    std::optional<distributed::Pulse::Wait> wait;
    if (!m_in.device.is_cpu() && m_in.group.size() > 1)
        // The host waits here for the device, and the device for the other ranks.
        wait.emplace(m_in.group.pulse(),
            "the all-reduces on the device before step " + std::to_string(m_progress.step));
    std::optional<Reading> reading = m_readings.pop();
    wait.reset();
    m_board.post(std::move(reading), votes());
}

/// What all ranks now know: the numbers go to the log, the rest to obey().
Status Trainer::take()
{
    const BoardEntry entry = m_board.take();
    m_stop = m_stop || entry.votes.stop;
    m_saveNow = m_saveNow || entry.votes.checkpoint;
    m_pause = m_pause || entry.votes.pause;
    m_newRate = entry.votes.learningRate > 0 ? entry.votes.learningRate : m_newRate;
    return entry.reading ? reportReading(*entry.reading) : Status(Done {});
}

/// The last step's numbers too, for which the device is waited for.
Status Trainer::report()
{
    post();
    return take();
}

/// By this rank's clock; the board makes one rank's wish everybody's.
bool Trainer::saveIsDue() const
{
    const double minutes = m_in.plan.options.ckptIntervalMinutes;
    return minutes > 0 && m_in.group.isMain() && now() - m_lastSaveTime >= 60 * minutes;
}

void Trainer::reportMemory(const DeviceMemory& memory, int64_t step)
{
    scalar("memory/allocated_bytes", static_cast<double>(memory.allocatedBytes), step);
    scalar("memory/reserved_bytes", static_cast<double>(memory.reservedBytes), step);
    scalar("memory/peak_bytes", static_cast<double>(memory.peakBytes), step);
    scalar("memory/fragmentation", memory.fragmentation(), step);
}

Status Trainer::reportReading(const Reading& reading)
{
    if (m_in.group.isMain()) {
        scalar("train/loss", reading.loss, reading.step);
        scalar("train/it_per_s", reading.seconds > 0 ? 1 / reading.seconds : 0, reading.step);
        scalar("train/lr", reading.learningRate, reading.step);
        if (reading.encoderLearningRate)
            scalar("train/lr_wav2vec", *reading.encoderLearningRate, reading.step);
        scalar("train/grad_norm", reading.gradNorm, reading.step);
        scalar("train/data_wait", reading.dataWait, reading.step);
        if (m_in.device.is_cpu())
            scalar("train/reduce_wait", reading.reduceWait, reading.step);
        if (reading.lossScale > 0)
            scalar("train/loss_scale", reading.lossScale, reading.step);
        if (reading.memory)
            reportMemory(*reading.memory, reading.step);
    }
    if (m_in.group.isMain() && reading.lossScale > 0 && m_lastScale > 0
        && reading.lossScale != m_lastScale)
        m_in.events.write({ .payload = run::LossScaleChanged { reading.step, reading.lossScale,
                                reading.lossScale < m_lastScale } });
    m_lastScale = reading.lossScale;
    return checkFinite(reading);
}

Status Trainer::checkFinite(const Reading& reading)
{
    const bool lossFinite = std::isfinite(reading.loss);
    if (lossFinite && !reading.foundInf) {
        m_nonFiniteInARow = 0;
        return Done {};
    }
    const bool scaling = reading.lossScale > 0;
    const bool skipping = m_in.plan.options.skipNonfiniteGrads;
    const bool isOfOthers = !lossFinite && reading.isLossFinite; // who name their utterances
    if (!isOfOthers)
        m_in.events.write({ .payload = run::NonFinite { .step = reading.step,
                                .what = lossFinite ? "gradient" : "loss",
                                .utterances = reading.utterances,
                                .skipped = reading.foundInf && (scaling || skipping) } });
    const bool isAnswered = scaling ? reading.lossScale >= kLeastUsefulScale : skipping;
    if (lossFinite && isAnswered)
        return Done {}; // left out as asked for, or an overflow that the loss scale answers
    m_nonFiniteInARow += 1;
    if (!m_firstNonFinite) // all ranks see the same step as the first
        m_firstNonFinite = isOfOthers
            ? ""
            : std::string(lossFinite ? "the gradients" : "the loss") + " of a batch with "
                + named(reading.utterances) + " at step " + std::to_string(reading.step);
    if (m_nonFiniteInARow <= m_in.plan.options.nonfinitePatience)
        return Done {};
    const std::string what = (lossFinite ? "the gradients were" : "the loss was")
        + (" not finite in " + std::to_string(m_nonFiniteInARow)) + " steps in a row, last at step "
        + std::to_string(reading.step);
    if (isOfOthers)
        throw distributed::Echo(what);
    return Error { what + " in a batch with " + named(reading.utterances) + ": "
        + remedy(lossFinite, scaling) };
}

/// Every replica_check_interval steps, and at the end of an epoch.
Status Trainer::checkReplicas(bool atEpochEnd)
{
    const int64_t interval = m_in.plan.options.replicaCheckInterval;
    const bool isDue = interval > 0 && (atEpochEnd || m_progress.step % interval == 0);
    if (!isDue || m_in.group.size() == 1)
        return Done {};
    const std::string difference = distributed::compareReplicas(m_in.group, m_parameters);
    if (difference.empty())
        return Done {};
    return Error { "replicas have diverged at step " + std::to_string(m_progress.step)
        + ": parameter " + difference };
}

/// Without sync_batchnorm every rank has running statistics of its own: rank 0's count, as in DDP.
void Trainer::shareBuffers()
{
    if (m_in.plan.options.syncBatchnorm || m_in.group.size() == 1)
        return;
    for (const auto& [name, buffer] : m_task->modules().buffers())
        m_in.group.broadcast(buffer.detach());
}

/// Alignments and utterances as files, the figures as events; without texts the figures alone.
Status Trainer::record(const Split& split, Stage stage, const Evaluation& scores,
    const std::string& hotwords, const std::vector<std::string>& checkpoints)
{
    const std::string base = "alignments/"
        + (stage == Stage::Valid ? "valid-epoch-" + std::to_string(m_progress.epoch) : split.name);
    for (const auto& [figure, value] : scores.figures())
        scalar(split.name + "/" + figure, value, m_progress.step);
    if (!scores.isSearched)
        return Done {};
    const run::Evaluated evaluated { .split = split.name,
        .epoch = epochReached(),
        .step = m_progress.step,
        .loss = scores.loss,
        .wer = scores.wer.percent(),
        .cer = scores.cer.percent(),
        .alignmentsFile = base + ".txt",
        .rate = scores.rate,
        .checkpoints = checkpoints };
    Status written
        = writeFileAtomically(m_in.folder.path / evaluated.alignmentsFile, scores.alignments);
    if (written)
        written = writeFileAtomically(
            run::utterancesFile(m_in.folder, evaluated), run::utterancesText(scores.utterances));
    if (written && !hotwords.empty())
        written = writeFileAtomically(m_in.folder.path / (base + "-hotwords.tsv"), hotwords);
    if (!written)
        return written;
    m_in.events.write({ .payload = evaluated });
    return Done {};
}

Result<Evaluation> Trainer::evaluateSplit(
    const Split& split, Stage stage, const std::vector<std::string>& checkpoints)
{
    enterPhase(phaseOf(stage));
    shareBuffers();
    std::optional<precision::Census> census;
    if (m_in.group.isMain() && !m_evaluationProved)
        census.emplace();
    const GeneratorStates generators = gatherGenerators();
    gatherMemoryPlans();
    Result<Evaluation> scores = evaluate(*m_task, split, stage, m_encoder, *m_precision, m_in.group,
        [this, stage, &generators] { return goOnEvaluating(stage, generators); });
    if (!scores || scores->interrupted)
        return scores;
    const std::string hotwords = scores->isSearched ? countHotwords(split, *scores) : "";
    if (!m_in.group.isMain())
        return scores;
    if (census)
        m_in.events.write({ .payload
            = run::DtypeCensus { .stage = split.name, .shareByDtype = census->shares() } });
    m_evaluationProved = true;
    const Status recorded = record(split, stage, *scores, hotwords, checkpoints);
    if (!recorded)
        return recorded.error();
    return scores;
}

} // namespace earwright::train
