#include "core/base/text.h"
#include "core/train/clock.h"
#include "core/train/generators.h"
#include "core/train/left_to_do.h"
#include "core/train/trainer.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/load_weights.h"

#include <ATen/CPUGeneratorImpl.h>

namespace earwright::train {

namespace {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

/// EncoderLearning's, in a checkpoint.
const std::string kEncoderState = "encoder.";

/// One row a rank: the bytes of a generator of every rank.
torch::Tensor gatherStates(const distributed::Group& group, const torch::Tensor& state)
{
    torch::Tensor rows = torch::zeros({ group.size(), state.numel() }, torch::kInt32);
    rows[group.rank()].copy_(state);
    group.allReduceSum(rows);
    return rows.to(torch::kUInt8);
}

NamedTensors withPrefix(const std::map<std::string, torch::Tensor>& all, const std::string& prefix)
{
    NamedTensors found;
    for (const auto& [name, tensor] : all) {
        if (name.starts_with(prefix))
            found.emplace_back(name.substr(prefix.size()), tensor);
    }
    return found;
}

/// The name of the first tensor that is not; "" = all are.
std::string notFinite(const std::map<std::string, torch::Tensor>& tensors)
{
    for (const auto& [name, tensor] : tensors) {
        if (tensor.is_floating_point() && !tensor.isfinite().all().item<bool>())
            return name;
    }
    return {};
}

/// Whose optimizer's state a checkpoint holds: 1 or 2; of a recipe with a second stage.
constexpr const char* kStage = "stage";

torch::Tensor onCpu(const torch::Tensor& tensor)
{
    return tensor.detach().to(torch::kCPU, tensor.scalar_type(), false, true).contiguous();
}

} // namespace

/// All ranks call it together.
GeneratorStates Trainer::gatherGenerators() const
{
    GeneratorStates states { { "generator.cpu",
        gatherStates(m_in.group, generatorOf(torch::kCPU).get_state()) } };
    if (m_in.device.is_cuda())
        states["generator.cuda"] = gatherStates(m_in.group, generatorOf(m_in.device).get_state());
    return states;
}

Checkpoint Trainer::checkpoint(const GeneratorStates& generators)
{
    Checkpoint state { .progress = m_progress, .model = {}, .training = {} };
    for (const NamedTensors& list :
        { m_task->modules().weights(), m_task->modules().buffers(), m_task->extraState() }) {
        for (const auto& [name, tensor] : list)
            state.model[name] = onCpu(tensor);
    }
    for (const auto& [name, tensor] : optimizerState(*m_optimizer))
        state.training["optimizer." + name] = onCpu(tensor);
    if (m_encoderLearning)
        for (const auto& [name, tensor] : m_encoderLearning->state())
            state.training[kEncoderState + name] = onCpu(tensor);
    for (const auto& [name, tensor] : m_precision->state())
        state.training["precision." + name] = onCpu(tensor);
    if (m_secondStage)
        state.training[kStage]
            = torch::tensor({ int64_t { m_isInSecondStage ? 2 : 1 } }, torch::kInt64);
    state.training["lr"] = torch::tensor({ learningRate(*m_optimizer) }, torch::kFloat64);
    state.training.insert(generators.begin(), generators.end());
    return state;
}

Status Trainer::restore(const Checkpoint& state)
{
    const Status loaded = loadWeights(*m_task, state.model, "the checkpoint");
    if (!loaded)
        return loaded;
    // One without a stage is of an older version: of the first optimizer, and beginStep() enters
    // the second stage.
    const auto stage = state.training.find(kStage);
    if (m_secondStage && stage != state.training.end() && stage->second.item<int64_t>() == 2)
        enterSecondStage();
    restoreOptimizerState(*m_optimizer, withPrefix(state.training, "optimizer."));
    m_precision->restore(withPrefix(state.training, "precision."));
    if (const Status restored = restoreEncoderLearning(state); !restored)
        return restored;
    for (const char* name : { "lr", "generator.cpu" }) {
        if (!state.training.contains(name))
            return Error { "the checkpoint's training.safetensors lacks '" + std::string(name)
                + "': resume from another one" };
    }
    if (const Status restored
        = restoreSchedule(state.progress, state.training.at("lr").item<double>());
        !restored)
        return Error { "the checkpoint's state of the learning rate's schedule is damaged: "
            + restored.error().message };
    const torch::Tensor generators = state.training.at("generator.cpu");
    // A clone, as set_state reads from the start of the storage, whatever the offset.
    // With another number of ranks the draws cannot be the same: each rank then goes on from its
    // own seed.
    if (generators.size(0) == m_in.group.size())
        generatorOf(torch::kCPU).set_state(generators[m_in.group.rank()].clone());
    const auto cuda = state.training.find("generator.cuda");
    if (m_in.device.is_cuda() && cuda != state.training.end()
        && cuda->second.size(0) == m_in.group.size())
        generatorOf(m_in.device).set_state(cuda->second[m_in.group.rank()].clone());
    return restoreMemoryPlan();
}

Status Trainer::restoreEncoderLearning(const Checkpoint& state)
{
    if (!m_encoderLearning)
        return Done {};
    const NamedTensors saved = withPrefix(state.training, kEncoderState);
    return m_encoderLearning->restore(
        { saved.begin(), saved.end() }, goesOnInCutEpoch(state.progress, m_in.plan.options));
}

/// And where the run stands: within an epoch that the steps' limit of before had cut, if there is
/// more to come now.
Status Trainer::restoreSchedule(const Progress& progress, double rate)
{
    m_progress = progress;
    m_progress.attempt = m_in.attempt;
    const CutEpoch cut = std::exchange(m_progress.cut, {});
    const bool goesOnInIt = goesOnInCutEpoch(progress, m_in.plan.options);
    if (goesOnInIt) {
        m_progress.epoch -= 1;
        m_progress.batchesDone = cut.batchesDone;
    } else {
        m_progress.cut = cut;
    }
    const Status restored = m_schedule->restore(goesOnInIt ? cut.schedule : progress.schedule);
    if (!restored)
        return restored;
    setLearningRate(*m_optimizer, goesOnInIt ? cut.learningRate : rate);
    layOutAnew(progress);
    m_progress.scheduleOf = m_scheduleOf;
    m_progress.totalSteps = m_totalSteps;
    return Done {};
}

/// The rates of a run with other arguments or another number of steps than it was saved with are
/// those of one that had them from the start.
void Trainer::layOutAnew(const Progress& progress)
{
    const bool isAnother = progress.scheduleOf != m_scheduleOf;
    if (progress.scheduleOf.empty() || (!isAnother && progress.totalSteps == m_totalSteps))
        return;
    const double before = learningRate(*m_optimizer);
    const std::optional<double> rate = m_schedule->replayed(m_recipeRate);
    if (rate)
        setLearningRate(*m_optimizer, *rate);
    tellLaidOut("learning rate", { before, rate, isAnother });
    if (!m_encoderLearning)
        return;
    const double ofEncoder = m_encoderLearning->rate();
    const std::optional<double> encoderRate = m_encoderLearning->layOutAnew();
    tellLaidOut("learning rate of 'wav2vec2'", { ofEncoder, encoderRate, isAnother });
}

void Trainer::tellLaidOut(const std::string& what, const LaidOut& rate)
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

/// Rank 0 only. Behind all that was logged before it: a run that goes on from it, however it ended,
/// has the figures of every step. Weights that are not finite stay so, and take the place of none
/// that are.
Status Trainer::write(const Checkpoint& state, bool best)
{
    const std::filesystem::path folder = m_in.folder.checkpoints();
    if (const std::string name = notFinite(state.model); !name.empty()) {
        const auto last = lastCheckpoint(folder);
        m_in.events.write({ .payload = run::Message { "warning",
                                "nothing is saved after step " + std::to_string(m_progress.step)
                                    + ", as " + inQuotes(name) + " is not finite; a resume starts "
                                    + (last ? "from checkpoints/" + last->filename().string()
                                            : "anew, as there is no checkpoint") } });
        return Done {};
    }
    m_in.events.sync();
    const Result<std::string> saved = saveCheckpoint(folder, state, best, keptCheckpoints());
    if (!saved)
        return saved.error();
    m_in.events.write({ .payload = run::CheckpointSaved {
                            "checkpoints/" + *saved, epochReached(), m_progress.step, best } });
    return Done {};
}

Status Trainer::save(bool best, double metric)
{
    enterPhase("checkpoint");
    m_progress.schedule = m_schedule->state();
    gatherMemoryPlans();
    Checkpoint state = checkpoint(gatherGenerators());
    state.metric = metric;
    m_in.group.runOnMain("checkpoint", [&]() -> std::string {
        if (const Status written = write(state, best); !written)
            throw std::runtime_error(written.error().message);
        return {};
    });
    m_saveNow = false;
    m_lastSaveTime = now();
    return Done {};
}

} // namespace earwright::train
