#include "core/train/loop/reporter.h"

#include "core/model/statistics.h"

#include <numeric>

namespace earwright::train {

namespace {

int64_t elementsOf(const std::vector<std::pair<std::string, torch::Tensor>>& tensors)
{
    return std::accumulate(tensors.begin(), tensors.end(), int64_t { 0 },
        [](int64_t sum, const auto& entry) { return sum + entry.second.numel(); });
}

} // namespace

void Reporter::enterPhase(const std::string& phase)
{
    m_in.requests.at(phase, m_progress.step);
    const int64_t epoch = phase == "train" ? m_progress.epoch : epochReached();
    m_in.events.write({ .payload = run::PhaseChanged { phase, epoch, m_progress.step } });
}

std::string phaseOf(Stage stage)
{
    return stage == Stage::Train ? "train" : stage == Stage::Valid ? "validate" : "test";
}

int64_t Reporter::epochReached() const
{
    return m_progress.batchesDone == 0 && m_progress.epoch > 1 ? m_progress.epoch - 1
                                                               : m_progress.epoch;
}

int64_t stepsPerEpoch(const Split& train, const plan::RunOptions& options)
{
    const auto batches = data::makeBatches(
        *train.utterances, train.batching, static_cast<uint64_t>(options.seed), 1);
    return (std::ssize(batches) + options.gradAccumulationFactor - 1)
        / options.gradAccumulationFactor;
}

void Reporter::announce(const TrainingData& data, TrainingModel& trained)
{
    const plan::RunOptions& options = m_in.plan.options;
    m_in.events.write({ .payload = run::RunStarted { .name = m_in.plan.name,
                            .task = options.task,
                            .precision = options.precision,
                            .evalPrecision = options.evalPrecision,
                            .devices = m_in.plan.devices,
                            .numberOfEpochs = options.numberOfEpochs,
                            .stepsPerEpoch = stepsPerEpoch(data.train, options),
                            .parameterCount = elementsOf(trained.task->modules().weights()),
                            .trainedCount = elementsOf(trained.parameters),
                            .attempt = m_in.attempt,
                            .resumedStep = m_progress.step } });
    if (!m_in.group.isMain())
        return;
    for (const plan::Provenance& setting : m_in.plan.provenance)
        if (setting.key == "task" && setting.source == "inferred" && m_progress.step == 0)
            m_in.events.write({ .payload = run::Message { "info",
                                    "trained as task " + setting.value + ": " + setting.place } });
    if (options.gradAccumulationFactor > 1)
        announceParts(data, trained);
}

/// What accumulation cannot make equal to one large batch.
void Reporter::announceParts(const TrainingData& data, TrainingModel& trained)
{
    const auto say = [this](const std::string& text) {
        m_in.events.write({ .payload = run::Message { "info", text } });
    };
    for (const auto& [key, layer] : trained.task->modules().modules()) {
        if (model::mixesRows(*layer))
            say("'" + key
                + "' normalises by the statistics of one micro-batch at a time: with "
                  "grad_accumulation_factor a step differs from that of one large batch; more "
                  "ranks do not change it");
    }
    if (data.train.batching.dynamic)
        say("accumulated batches of dynamic_batch_sampler are padded each by itself, as alike they "
            "might not fit into memory: a step differs a little from that of one large batch");
}

void Reporter::scalar(const std::string& tag, double value, int64_t step)
{
    m_in.events.write({ .payload = run::Scalar { tag, step, value } });
}

void Reporter::reportReading(const Reading& reading)
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
}

void Reporter::reportMemory(const DeviceMemory& memory, int64_t step)
{
    scalar("memory/allocated_bytes", static_cast<double>(memory.allocatedBytes), step);
    scalar("memory/reserved_bytes", static_cast<double>(memory.reservedBytes), step);
    scalar("memory/peak_bytes", static_cast<double>(memory.peakBytes), step);
    scalar("memory/fragmentation", memory.fragmentation(), step);
}

} // namespace earwright::train
