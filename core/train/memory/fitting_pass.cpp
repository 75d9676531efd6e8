#include "core/train/memory/fitting_pass.h"

#include "core/model/batch_norm.h"
#include "core/model/input_normalization.h"
#include "core/train/cpu_memory.h"
#include "core/train/task/too_short.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/utils.h>

namespace earwright::train {

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
    } catch (const c10::Error& error) {
        auto shortage = distributed::memoryShortage(error);
        if (!shortage)
            throw;
        at.shortage = std::move(*shortage);
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
            if (const auto* norm = dynamic_cast<const model::InputNormalization*>(&part))
                m_sharesFeatures
                    |= m_in.group.size() > 1 && norm->mixesRows() && !norm->keepsStatistics();
            if (dynamic_cast<model::BatchNorm*>(&part) == nullptr)
                return;
            m_hasBatchNorm = true;
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
    const int64_t count = partsPlanned(all);
    // There the reducer takes each parameter's gradient once: as the sum of the parts.
    if (count > 1 && m_in.sync.isGraphStatic()) {
        const Draws draws(m_in.device);
        keepStatistics();
        return summed(all, count, allParameters(), draws, last, false);
    }
    const std::vector<Part> parts = cutUp(all, count);
    torch::Tensor loss;
    for (const Part& part : parts) {
        const torch::Tensor ofPart = runPart(part, last && &part == &parts.back());
        loss = loss.defined() ? loss + ofPart : ofPart;
    }
    return loss;
}

std::vector<torch::Tensor> FittingPass::dryGradients(const data::Batch& batch)
{
    const std::vector<torch::Tensor> inputs = allParameters();
    const Part all = whole(batch, 1);
    for (int64_t count = partsPlanned(all);;) {
        Sum sum;
        const auto failure = attempt<Failure>(
            [&](Failure& at) { sum = sumOf({ cutUp(all, count).front() }, inputs, at); });
        if (!failure)
            return sum.gradients;
        count = learn(all, *failure, count);
    }
}

FittingPass::Part FittingPass::whole(const data::Batch& batch, double share)
{
    m_hasGivenBack = false;
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
            + " do not fit into memory (" + failure->shortage.cause + ")");
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
        at = { .batch = part.batch, .during = "forward", .shortage = {} };
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
torch::Tensor FittingPass::replay(
    const Part& part, const Failure& failure, const Draws& draws, bool last)
{
    const bool isReducing = last && failure.during == "backward";
    const std::vector<torch::Tensor> inputs = unreached();
    if (inputs.empty())
        throw std::runtime_error(
            "adding up the gradients ran out of memory: " + failure.shortage.cause);
    const int64_t count = learn(part, failure, 1);
    draws.restore();
    restoreStatistics();
    return summed(part, count, inputs, draws, last, isReducing);
}

/// In so many parts, or more, where these do not fit either.
torch::Tensor FittingPass::summed(const Part& part, int64_t count,
    const std::vector<torch::Tensor>& inputs, const Draws& draws, bool last, bool isReducing)
{
    for (;;) {
        Sum sum;
        const auto failure
            = attempt<Failure>([&](Failure& at) { sum = sumOf(cutUp(part, count), inputs, at); });
        if (!failure) {
            handIn(inputs, sum.gradients, last, isReducing);
            return sum.loss;
        }
        count = learn(part, *failure, count);
        draws.restore();
        restoreStatistics();
    }
}

FittingPass::Sum FittingPass::sumOf(
    const std::vector<Part>& parts, const std::vector<torch::Tensor>& inputs, Failure& at)
{
    Sum sum;
    for (const Part& part : parts) {
        at = { .batch = part.batch, .during = "forward", .shortage = {} };
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

std::vector<torch::Tensor> FittingPass::allParameters() const
{
    std::vector<torch::Tensor> all;
    for (const auto& [name, parameter] : m_in.parameters)
        all.push_back(parameter);
    return all;
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

} // namespace earwright::train
