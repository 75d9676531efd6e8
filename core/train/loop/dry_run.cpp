#include "core/train/loop/dry_run.h"

#include "core/model/transformer/layer_drop.h"
#include "core/train/generators.h"
#include "core/train/unused_parameters.h"

#include <limits>
#include <torch/utils.h>

namespace earwright::train {

namespace {

/// All that a forward changes, as it was before.
class Unchanged final {
public:
    Unchanged(Task& task, c10::Device device)
        : m_task(task)
        , m_draws(device)
    {
        for (const auto& [name, buffer] : task.modules().buffers())
            m_buffers.emplace_back(buffer, buffer.clone());
        for (const auto& [name, tensor] : task.extraState())
            m_extra[name] = tensor.clone();
    }

    ~Unchanged()
    {
        const torch::NoGradGuard noGrad;
        for (auto& [buffer, before] : m_buffers)
            buffer.copy_(before);
        m_task.restoreExtraState(m_extra);
        m_draws.restore();
    }
    Unchanged(const Unchanged&) = delete;
    Unchanged& operator=(const Unchanged&) = delete;

private:
    Task& m_task;
    Draws m_draws;
    std::vector<std::pair<torch::Tensor, torch::Tensor>> m_buffers;
    std::map<std::string, torch::Tensor> m_extra;
};

/// In which order a backward, also one that leaves gradients undefined, comes to the parameters.
class Arrivals final {
public:
    explicit Arrivals(const std::vector<std::pair<std::string, torch::Tensor>>& parameters)
        : m_of(parameters.size(), std::numeric_limits<int64_t>::max())
    {
        for (size_t i = 0; i < parameters.size(); ++i) {
            const torch::Tensor& parameter = parameters[i].second;
            m_hooks.emplace_back(parameter,
                parameter.register_hook([this, i](const torch::Tensor&) { m_of[i] = m_count++; }));
        }
    }

    ~Arrivals()
    {
        for (auto& [parameter, hook] : m_hooks)
            parameter.remove_hook(hook);
    }
    Arrivals(const Arrivals&) = delete;
    Arrivals& operator=(const Arrivals&) = delete;

    /// Of each parameter the latest one, in case that what did not fit into memory was repeated.
    const std::vector<int64_t>& of() const { return m_of; }

private:
    std::vector<int64_t> m_of;
    int64_t m_count = 0;
    std::vector<std::pair<torch::Tensor, unsigned>> m_hooks;
};

Result<data::Batch> firstBatch(const TrainerContext& context, const TrainingState& state)
{
    auto batches = data::makeBatches(*state.data.train.utterances, state.data.train.batching,
        static_cast<uint64_t>(context.plan.options.seed), state.progress.epoch);
    if (batches.empty())
        return Error { "the training set gives no batch: with drop_last, batch_size may be larger "
                       "than the set" };
    batches.resize(1);
    data::LoaderOptions options = state.data.train.loader;
    options.numWorkers = 0;
    options.epoch = state.progress.epoch;
    data::Loader loader(
        state.data.train.utterances, std::move(batches), state.data.encoder, std::move(options));
    Result<std::optional<data::Batch>> batch = loader.next();
    if (!batch)
        return batch.error();
    return std::move(**batch);
}

/// Of the first batch, in the parameters' order; undefined where a parameter takes no part. A layer
/// that an encoder leaves out now and then does.
Result<std::vector<torch::Tensor>> dryGradients(const TrainerContext& context, TrainingState& state)
{
    const Result<data::Batch> batch = firstBatch(context, state);
    if (!batch)
        return batch.error();
    const Unchanged unchanged(*state.model.task, context.device);
    const model::LayerChoice allLayers;
    const Arrivals arrivals(state.model.parameters);
    state.model.isRepeated = batch->wholeSize < context.group.size();
    state.model.task->startEpoch(state.progress.epoch); // what does not learn in it does not here
    std::vector<torch::Tensor> gradients = state.model.pass->dryGradients(*batch);
    state.model.sync->orderBuckets(arrivals.of());
    return gradients;
}

} // namespace

Status checkUnused(const TrainerContext& context, TrainingState& state)
{
    const plan::RunOptions& options = context.plan.options;
    if (options.numberOfEpochs == 0)
        return Done {};
    const Result<std::vector<torch::Tensor>> gradients = dryGradients(context, state);
    if (!gradients)
        return gradients.error();
    const std::string found = mentionUnused(state.model.parameters, *gradients);
    if (found.empty())
        return Done {};
    const bool isAsked = options.findUnusedParameters || options.staticGraph;
    if (context.group.size() > 1 && !isAsked && !state.model.sync->expectsUnused())
        return Error { reportUnused(state.model.parameters, *gradients) };
    state.model.sync->expectUnused();
    if (context.group.isMain())
        context.events.write({ .payload = run::Message { isAsked ? "info" : "warning", found } });
    return Done {};
}

} // namespace earwright::train
