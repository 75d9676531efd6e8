#include "core/train/memory/fitting_pass.h"

#include "core/model/batch_norm.h"
#include "core/train/cpu_memory.h"
#include "core/train/task/too_short.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace kymo::train {

namespace {

/// Called when a backward has added a parameter's gradient.
class Mark final : public torch::autograd::PostAccumulateGradHook {
public:
    explicit Mark(char& isReached)
        : m_isReached(isReached)
    {
    }
    void operator()(const torch::Tensor&) override { m_isReached = 1; }

private:
    char& m_isReached;
};

/// What an exception has left in the engine's queue holds the graph, and all that the forward saved
/// in it. The next backward on the device, however small, drops it first.
void dropGraph(c10::Device device)
{
    torch::zeros({}, torch::TensorOptions(device).requires_grad(true)).mul(1).backward();
}

/// What `work` has come to when it ran out of memory, or nothing. Returns only when all that the
/// exception held is free.
template <class Failure, class Work>
std::optional<Failure> attempt(Work&& work)
{
    Failure at;
    try {
        const WithinCpuLimit limited;
        work(at);
        return {};
    } catch (const c10::OutOfMemoryError& error) {
        at.cause = error.what_without_backtrace();
    }
    return at;
}

} // namespace

struct FittingPass::Sum {
    torch::Tensor loss;
    std::vector<torch::Tensor> gradients; ///< undefined where there was none

    void add(const torch::Tensor& partLoss, const std::vector<torch::Tensor>& ofPart)
    {
        loss = loss.defined() ? loss + partLoss : partLoss;
        gradients.resize(ofPart.size());
        for (size_t i = 0; i < ofPart.size(); ++i) {
            if (ofPart[i].defined())
                gradients[i] = gradients[i].defined() ? gradients[i] + ofPart[i] : ofPart[i];
        }
    }
};

FittingPass::FittingPass(const PassSetting& setting)
    : m_in(setting)
    , m_isReached(setting.parameters.size())
{
    for (size_t i = 0; i < m_isReached.size(); ++i)
        torch::autograd::impl::set_post_acc_grad_hooks(
            m_in.parameters[i].second, std::make_unique<Mark>(m_isReached[i]));
    for (const auto& [key, layer] : m_in.task.modules().modules()) {
        layer->apply([this](torch::nn::Module& part) {
            if (dynamic_cast<model::BatchNorm*>(&part) == nullptr)
                return;
            m_sharesBatchNorm = m_in.syncBatchnorm && m_in.group.size() > 1;
            for (const torch::Tensor& buffer : part.buffers())
                m_statistics.push_back(buffer);
        });
    }
    for (const torch::Tensor& buffer : m_statistics)
        m_kept.push_back(buffer.clone());
}

FittingPass::~FittingPass()
{
    for (const auto& [name, parameter] : m_in.parameters)
        torch::autograd::impl::set_post_acc_grad_hooks(parameter, nullptr);
}

torch::Tensor FittingPass::run(const data::Batch& batch, double share, bool last)
{
    if (last)
        m_in.sync.beforeForward();
    const Part all = whole(batch, share);
    const std::vector<Part> parts = cutUp(all, partsPlanned(all.batch));
    torch::Tensor loss;
    for (const Part& part : parts) {
        const torch::Tensor ofPart = runPart(part, last && &part == &parts.back());
        loss = loss.defined() ? loss + ofPart : ofPart;
    }
    return loss;
}

std::vector<torch::Tensor> FittingPass::dryGradients(const data::Batch& batch)
{
    std::vector<torch::Tensor> inputs;
    for (const auto& [name, parameter] : m_in.parameters)
        inputs.push_back(parameter);
    const Part all = whole(batch, 1);
    for (int64_t count = partsPlanned(all.batch);; count *= 2) {
        Sum sum;
        const auto failure = attempt<Failure>(
            [&](Failure& at) { sum = sumOf({ cutUp(all, count).front() }, inputs, at); });
        if (!failure)
            return sum.gradients;
        learn(all, *failure, 2 * count);
    }
}

int64_t FittingPass::partsPlanned(const data::Batch& batch) const
{
    return m_sharesBatchNorm ? 1 : plan.parts(std::ssize(batch.ids), batch.wavs_BT.size(1));
}

FittingPass::Part FittingPass::whole(const data::Batch& batch, double share)
{
    Part part { .batch = batch, .features = {}, .share = share };
    const auto failure = attempt<Failure>([&](Failure&) {
        const auto cast = m_in.precision.autocast();
        const distributed::Pulse::InModel inModel(m_in.group.pulse());
        TrainingInput input
            = namingShort(batch, m_in.sampleRateHz, [&] { return m_in.task.trainingInput(batch); });
        part.batch = std::move(input.batch);
        part.features = std::move(input.features);
    });
    if (failure)
        throw std::runtime_error("the features of " + longestOf(batch, m_in.sampleRateHz)
            + " do not fit into memory (" + failure->cause + ")");
    return part;
}

std::vector<FittingPass::Part> FittingPass::cutUp(const Part& part, int64_t count) const
{
    if (count == 1)
        return { part };
    std::vector<Part> parts;
    int64_t row = 0;
    for (data::Batch& batch : cut(part.batch, count)) {
        const int64_t rows = std::ssize(batch.ids);
        const double share = part.share * shareIn(part.batch, batch, m_in.task.lossUnit());
        parts.push_back({ std::move(batch), part.features.narrow(0, row, rows), share });
        row += rows;
    }
    return parts;
}

torch::Tensor FittingPass::loss(const Part& part)
{
    const auto cast = m_in.precision.autocast();
    const distributed::Pulse::InModel inModel(m_in.group.pulse());
    return namingShort(part.batch, m_in.sampleRateHz,
        [&] { return m_in.task.run(part.batch, part.features, Stage::Train).loss * part.share; });
}

std::optional<distributed::Pulse::Wait> FittingPass::waiting(bool last) const
{
    if (!last || m_in.group.size() == 1)
        return {};
    return std::optional<distributed::Pulse::Wait>(
        std::in_place, m_in.group.pulse(), "the all-reduce of the gradients");
}

torch::Tensor FittingPass::runPart(const Part& part, bool last)
{
    const Draws draws(m_in.device);
    keepStatistics();
    std::fill(m_isReached.begin(), m_isReached.end(), char(0));
    torch::Tensor result;
    const auto failure = attempt<Failure>([&](Failure& at) {
        at = { .batch = part.batch, .during = "forward", .cause = {} };
        const torch::Tensor ofPart = loss(part);
        const auto wait = waiting(last);
        if (last)
            m_in.sync.beforeBackward(ofPart);
        at.during = "backward";
        // The reducer averages over the ranks what is to be summed.
        m_in.precision.backward(
            ofPart * static_cast<double>(m_in.group.size()), part.features.requires_grad());
        result = ofPart.detach();
    });
    return failure ? replay(part, *failure, draws, last) : result;
}

/// See Note [A batch that does not fit].
torch::Tensor FittingPass::replay(const Part& part, Failure failure, const Draws& draws, bool last)
{
    const bool isReducing = last && failure.during == "backward";
    const std::vector<torch::Tensor> inputs = unreached();
    if (inputs.empty())
        throw std::runtime_error("adding up the gradients ran out of memory: " + failure.cause);
    for (int64_t count = 2;; count *= 2) {
        learn(part, failure, count);
        draws.restore();
        restoreStatistics();
        Sum sum;
        const auto again
            = attempt<Failure>([&](Failure& at) { sum = sumOf(cutUp(part, count), inputs, at); });
        if (again) {
            failure = *again;
            continue;
        }
        handIn(inputs, sum.gradients, last, isReducing);
        return sum.loss;
    }
}

FittingPass::Sum FittingPass::sumOf(
    const std::vector<Part>& parts, const std::vector<torch::Tensor>& inputs, Failure& at)
{
    Sum sum;
    for (const Part& part : parts) {
        at = { .batch = part.batch, .during = "forward", .cause = {} };
        const torch::Tensor ofPart = loss(part);
        at.during = "backward";
        sum.add(ofPart.detach(),
            m_in.precision.gradients(ofPart * static_cast<double>(m_in.group.size()), inputs,
                part.features.requires_grad()));
    }
    return sum;
}

/// By the backward of a sum of products, which gives each parameter its gradient to the bit.
void FittingPass::handIn(const std::vector<torch::Tensor>& inputs,
    const std::vector<torch::Tensor>& sums, bool last, bool isReducing)
{
    torch::Tensor products;
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (!sums[i].defined())
            continue;
        const torch::Tensor product = inputs[i].flatten().dot(sums[i].flatten());
        products = products.defined() ? products + product : product;
    }
    const auto wait = waiting(last);
    if (isReducing)
        m_in.sync.resumeBackward(products);
    else if (last)
        m_in.sync.beforeBackward(products);
    products.backward();
}

/// Throws where there is nothing left to do about it.
void FittingPass::learn(const Part& part, const Failure& failure, int64_t parts)
{
    const std::string cause = " (" + failure.during + ": " + failure.cause + ")";
    if (m_sharesBatchNorm)
        throw std::runtime_error(std::to_string(failure.batch.ids.size())
            + " utterances do not fit into memory, the longest "
            + longestOf(failure.batch, m_in.sampleRateHz) + cause
            + "; they cannot be computed in parts, as BatchNorm takes its statistics from all "
              "ranks: lower batch_size and raise grad_accumulation_factor, or set sync_batchnorm: "
              "False");
    if (failure.batch.ids.size() == 1)
        throw std::runtime_error(longestOf(failure.batch, m_in.sampleRateHz)
            + " does not fit into memory by itself" + cause
            + ": take the longest utterances out of the training manifest or cut them, use a "
              "smaller model, or precision: bf16");
    plan.tooMuch(std::ssize(failure.batch.ids), failure.batch.wavs_BT.size(1));
    m_in.report(
        { part.batch, failure.during, failure.cause, std::min(parts, std::ssize(part.batch.ids)) });
    dropGraph(m_in.device);
    releaseCached(m_in.device);
}

std::vector<torch::Tensor> FittingPass::unreached() const
{
    std::vector<torch::Tensor> found;
    for (size_t i = 0; i < m_isReached.size(); ++i) {
        if (!m_isReached[i])
            found.push_back(m_in.parameters[i].second);
    }
    return found;
}

void FittingPass::keepStatistics()
{
    const torch::NoGradGuard noGrad;
    if (!m_statistics.empty())
        at::_foreach_copy_(m_kept, m_statistics);
}

void FittingPass::restoreStatistics()
{
    const torch::NoGradGuard noGrad;
    if (!m_statistics.empty())
        at::_foreach_copy_(m_statistics, m_kept);
}

} // namespace kymo::train
