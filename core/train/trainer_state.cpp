#include "core/train/generators.h"
#include "core/train/trainer.h"
#include "core/train/weights/load_weights.h"

#include <ATen/CPUGeneratorImpl.h>

namespace kymo::train {

namespace {

using Named = std::vector<std::pair<std::string, torch::Tensor>>;

/// One row a rank: the bytes of a generator of every rank.
torch::Tensor gatherStates(const distributed::Group& group, const torch::Tensor& state)
{
    torch::Tensor rows = torch::zeros({ group.size(), state.numel() }, torch::kInt32);
    rows[group.rank()].copy_(state);
    group.allReduceSum(rows);
    return rows.to(torch::kUInt8);
}

Named withPrefix(const std::map<std::string, torch::Tensor>& all, const std::string& prefix)
{
    Named found;
    for (const auto& [name, tensor] : all) {
        if (name.starts_with(prefix))
            found.emplace_back(name.substr(prefix.size()), tensor);
    }
    return found;
}

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
    for (const Named& list :
        { m_task->modules().weights(), m_task->modules().buffers(), m_task->extraState() }) {
        for (const auto& [name, tensor] : list)
            state.model[name] = onCpu(tensor);
    }
    for (const auto& [name, tensor] : optimizerState(*m_optimizer))
        state.training["optimizer." + name] = onCpu(tensor);
    for (const auto& [name, tensor] : m_precision->state())
        state.training["precision." + name] = onCpu(tensor);
    state.training["lr"] = torch::tensor({ learningRate(*m_optimizer) }, torch::kFloat64);
    state.training.insert(generators.begin(), generators.end());
    return state;
}

Status Trainer::restore(const Checkpoint& state)
{
    const Status loaded = loadWeights(*m_task, state.model, "the checkpoint");
    if (!loaded)
        return loaded;
    restoreOptimizerState(*m_optimizer, withPrefix(state.training, "optimizer."));
    m_precision->restore(withPrefix(state.training, "precision."));
    setLearningRate(*m_optimizer, state.training.at("lr").item<double>());
    m_schedule->restore(state.progress.schedule);
    m_progress = state.progress;
    m_progress.attempt = m_in.attempt;
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

} // namespace kymo::train
