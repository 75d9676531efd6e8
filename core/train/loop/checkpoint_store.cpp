#include "core/train/loop/checkpoint_store.h"

#include "core/base/text.h"
#include "core/distributed/shared_file.h"
#include "core/train/generators.h"
#include "core/train/loop/stored_tensors.h"
#include "core/train/weights/checkpoint_folder.h"
#include "core/train/weights/load_weights.h"

#include <ATen/CPUGeneratorImpl.h>

namespace earwright::train {

namespace {

/// One row a rank: the bytes of a generator of every rank.
torch::Tensor gatherStates(const distributed::Group& group, const torch::Tensor& state)
{
    torch::Tensor rows = torch::zeros({ group.size(), state.numel() }, torch::kInt32);
    rows[group.rank()].copy_(state);
    group.allReduceSum(rows);
    return rows.to(torch::kUInt8);
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

} // namespace

GeneratorStates CheckpointStore::gatherGenerators() const
{
    GeneratorStates states { { "generator.cpu",
        gatherStates(m_in.group, generatorOf(torch::kCPU).get_state()) } };
    if (m_in.device.is_cuda())
        states["generator.cuda"] = gatherStates(m_in.group, generatorOf(m_in.device).get_state());
    return states;
}

void CheckpointStore::gatherMemoryPlans()
{
    m_progress.memoryPlans = m_in.group.gatherText(m_model.pass->plan.text());
}

Checkpoint CheckpointStore::checkpoint(const GeneratorStates& generators)
{
    Checkpoint state { .progress = m_progress, .model = {}, .training = {} };
    for (const StoredTensors& list : { m_model.task->modules().weights(),
             m_model.task->modules().buffers(), m_model.task->extraState() }) {
        for (const auto& [name, tensor] : list)
            state.model[name] = onCpu(tensor);
    }
    state.training = m_model.optimization->state();
    for (const auto& [name, tensor] : m_model.precision->state())
        state.training["precision." + name] = onCpu(tensor);
    state.training.insert(generators.begin(), generators.end());
    return state;
}

Status CheckpointStore::save(bool best, double metric)
{
    m_reporter.enterPhase("checkpoint");
    m_progress.schedule = m_model.optimization->scheduleState();
    gatherMemoryPlans();
    Checkpoint state = checkpoint(gatherGenerators());
    state.metric = metric;
    m_in.group.runOnMain("checkpoint", [&]() -> std::string {
        if (const Status written = write(state, best); !written)
            throw std::runtime_error(written.error().message);
        return {};
    });
    m_control.markSaved();
    return Done {};
}

void CheckpointStore::saveAlone(const GeneratorStates& generators)
{
    m_progress.schedule = m_model.optimization->scheduleState();
    if (const Status written = write(checkpoint(generators), false); !written)
        throw std::runtime_error(written.error().message);
}

/// Rank 0 only. Behind all that was logged before it: a run that goes on from it, however it ended,
/// has the figures of every step. Weights that are not finite stay so, and take the place of none
/// that are.
Status CheckpointStore::write(const Checkpoint& state, bool best)
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
    const Result<std::string> saved = saveCheckpoint(folder, state, best, kept());
    if (!saved)
        return saved.error();
    m_in.events.write({ .payload = run::CheckpointSaved { "checkpoints/" + *saved,
                            m_reporter.epochReached(), m_progress.step, best } });
    return Done {};
}

Result<std::optional<Checkpoint>> CheckpointStore::last()
{
    const std::filesystem::path folder = m_in.folder.checkpoints();
    const std::string name
        = m_in.group.runOnMain("last checkpoint", [&] { return nameOfLast(folder); });
    if (name.empty())
        return std::optional<Checkpoint>();
    Result<Checkpoint> checkpoint = shared(folder / name);
    if (!checkpoint)
        return checkpoint.error();
    return std::optional(std::move(*checkpoint));
}

/// "" where none was ever saved. Rank 0 only.
std::string CheckpointStore::nameOfLast(const std::filesystem::path& folder)
{
    const NewestCheckpoint newest = newestCheckpoint(folder);
    if (!newest.path && !newest.passedOver.empty())
        throw std::runtime_error("none of this run's checkpoints can be read: "
            + newest.passedOver.front().message + "; put a whole one there, or remove the folder '"
            + folder.string() + "' to start from step 0");
    for (const Error& error : newest.passedOver)
        m_in.events.write({ .payload
            = run::Message { "warning", "passed over, as it is damaged: " + error.message } });
    return newest.path ? newest.path->filename().string() : "";
}

Result<Checkpoint> CheckpointStore::shared(const std::filesystem::path& path)
{
    if (path.parent_path() != m_in.folder.checkpoints() || path.filename() == "..")
        return Error { "rank 0 tells of '" + path.string()
            + "', which is no checkpoint of this run" };
    distributed::awaitFiles(m_in.group, "files of a checkpoint",
        { path / "manifest.json", path / "model.safetensors", path / "training.safetensors" });
    return loadCheckpoint(path);
}

Status CheckpointStore::restore(const Checkpoint& state)
{
    const Status loaded = loadWeights(*m_model.task, state.model, "the checkpoint");
    if (!loaded)
        return loaded;
    m_model.optimization->restoreOptimizer(state.training);
    m_model.precision->restore(withPrefix(state.training, "precision."));
    if (const Status restored = m_model.optimization->restoreEncoder(state); !restored)
        return restored;
    for (const char* name : { "lr", "generator.cpu" }) {
        if (!state.training.contains(name))
            return Error { "the checkpoint's training.safetensors lacks '" + std::string(name)
                + "': resume from another one" };
    }
    if (const Status restored = m_model.optimization->restoreSchedule(
            state.progress, state.training.at("lr").item<double>(), m_progress);
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

/// A rank that was not there before takes what rank 0 knows: the sizes are those of a rank's part.
Status CheckpointStore::restoreMemoryPlan()
{
    const std::vector<std::string>& plans = m_progress.memoryPlans;
    if (plans.empty())
        return Done {};
    const auto rank = static_cast<size_t>(m_in.group.rank());
    Result<MemoryPlan> plan = MemoryPlan::from(plans[rank < plans.size() ? rank : 0]);
    if (!plan)
        return plan.error();
    m_model.pass->plan = std::move(*plan);
    return Done {};
}

} // namespace earwright::train
