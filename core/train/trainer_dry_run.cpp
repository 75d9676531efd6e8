#include "core/train/trainer.h"

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

} // namespace

/// One forward and backward before the first step. The reducer waits for a gradient of every
/// parameter: what has none is told now, with what to do about it, and not as a hang at step 2.
/// Where it does not wait, or a single rank has nobody to wait for, the training goes on. The order
/// in which the gradients come is that of the reducer's buckets.
Status Trainer::checkUnused()
{
    const plan::RunOptions& options = m_in.plan.options;
    if (options.numberOfEpochs == 0)
        return Done {};
    const Result<std::vector<torch::Tensor>> gradients = dryGradients();
    if (!gradients)
        return gradients.error();
    const std::string found = mentionUnused(m_parameters, *gradients);
    if (found.empty())
        return Done {};
    const bool isAsked = options.findUnusedParameters || options.staticGraph;
    if (m_in.group.size() > 1 && !isAsked && !m_sync->expectsUnused())
        return Error { reportUnused(m_parameters, *gradients) };
    m_sync->expectUnused();
    if (m_in.group.isMain())
        m_in.events.write({ .payload = run::Message { isAsked ? "info" : "warning", found } });
    return Done {};
}

/// Of the first batch, in the parameters' order; undefined where a parameter takes no part. A layer
/// that an encoder leaves out now and then does.
Result<std::vector<torch::Tensor>> Trainer::dryGradients()
{
    const Result<data::Batch> batch = firstBatch();
    if (!batch)
        return batch.error();
    const Unchanged unchanged(*m_task, m_in.device);
    const model::LayerChoice allLayers;
    const Arrivals arrivals(m_parameters);
    m_isRepeated = batch->wholeSize < m_in.group.size();
    m_task->startEpoch(m_progress.epoch); // what does not learn in it does not here
    std::vector<torch::Tensor> gradients = m_pass->dryGradients(*batch);
    m_sync->orderBuckets(arrivals.of());
    return gradients;
}

Result<data::Batch> Trainer::firstBatch()
{
    auto batches = data::makeBatches(*m_train.utterances, m_train.batching,
        static_cast<uint64_t>(m_in.plan.options.seed), m_progress.epoch);
    if (batches.empty())
        return Error { "the training set gives no batch: with drop_last, batch_size may be larger "
                       "than the set" };
    batches.resize(1);
    data::LoaderOptions options = m_train.loader;
    options.numWorkers = 0;
    options.epoch = m_progress.epoch;
    data::Loader loader(m_train.utterances, std::move(batches), m_encoder, std::move(options));
    Result<std::optional<data::Batch>> batch = loader.next();
    if (!batch)
        return batch.error();
    return std::move(**batch);
}

} // namespace earwright::train
