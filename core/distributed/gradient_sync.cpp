#include "core/distributed/gradient_sync.h"

#include "core/base/clock.h"
#include "core/base/mutation.h"
#include "core/distributed/memory_shortage.h"

#include <chrono>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/distributed/c10d/comm.hpp>
#include <torch/csrc/distributed/c10d/logger.hpp>
#include <torch/csrc/distributed/c10d/reducer.hpp>
#include <torch/utils.h>

namespace earwright::distributed {

namespace {

constexpr double kBytesPerMb = 1024.0 * 1024.0;

int64_t capBytes(const SyncOptions& options)
{
    return static_cast<int64_t>(options.bucketCapMb * kBytesPerMb);
}

/// Exact and order-independent in cost: the bits of the values summed as integers, and weighted by
/// position.
torch::Tensor checksum(const torch::Tensor& parameter)
{
    const torch::Tensor bits = parameter.detach().flatten().view(torch::kInt32).to(torch::kInt64);
    const torch::Tensor place = torch::arange(1, bits.numel() + 1, bits.options());
    return torch::stack({ bits.sum(), (bits * place).sum() });
}

/// Reduces in half the bytes. The mean is taken first, so that the sum does not overflow.
class HalfHook final : public c10d::CppCommHookInterface<c10::intrusive_ptr<c10d::ProcessGroup>> {
public:
    HalfHook(c10::intrusive_ptr<c10d::ProcessGroup> group, torch::ScalarType type)
        : CppCommHookInterface(std::move(group))
        , m_type(type)
    {
    }

    c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override
    {
        const torch::Tensor gradients = bucket.getBufferRef();
        std::vector<torch::Tensor> half { halfMean(gradients) };
        const auto reduced = state_->allreduce(half)->getFuture();
        return reduced->then(
            [gradients, half](c10::ivalue::Future&) {
                gradients.copy_(half.front());
                return c10::IValue(gradients);
            },
            c10::TensorType::get());
    }

private:
    /// Out of memory is no such error here: the reducer could not go on where it stopped.
    torch::Tensor halfMean(const torch::Tensor& gradients) const
    {
        try {
            return (gradients / state_->getSize()).to(m_type);
        } catch (const c10::Error& error) {
            const auto shortage = memoryShortage(error);
            if (!shortage)
                throw;
            throw std::runtime_error(std::string("no memory to compress the gradients: lower "
                                                 "batch_size or bucket_cap_mb, or set "
                                                 "ddp_comm_hook: none (")
                + shortage->cause + ")");
        }
    }

    torch::ScalarType m_type;
};

/// See Note [Buckets stay as they are].
class LastingReducer final : public c10d::Reducer {
public:
    using c10d::Reducer::Reducer;
    void keepBuckets() { has_rebuilt_bucket_ = true; }
};

void addHook(c10d::Reducer& reducer, CommHook hook, const Group& group)
{
    if (hook == CommHook::None) {
        // The reducer's own mean multiplies by 1 / ranks what it copies into a bucket, as in the
        // first step, and divides by the ranks what lies in it already. This one divides.
        reducer.register_builtin_comm_hook(c10d::BuiltinCommHookType::ALLREDUCE);
        return;
    }
    const auto type = hook == CommHook::Fp16 ? torch::kFloat16 : torch::kBFloat16;
    reducer.register_comm_hook(std::make_unique<HalfHook>(group.processGroup(), type));
}

} // namespace

CommHook parseCommHook(const std::string& name)
{
    return name == "fp16" ? CommHook::Fp16 : name == "bf16" ? CommHook::Bf16 : CommHook::None;
}

GradientSync::GradientSync(const Group& group,
    std::vector<std::pair<std::string, torch::Tensor>> parameters,
    const std::vector<torch::Tensor>& buffers, const SyncOptions& options)
    : m_group(group)
    , m_options(options)
    , m_findUnused(options.findUnusedParameters && !options.staticGraph)
    , m_isStaticAndNew(options.staticGraph)
{
    for (auto& [name, parameter] : parameters) {
        m_names[m_parameters.size()] = name;
        m_parameters.push_back(parameter);
    }
    if (!group.isAlone()) {
        const Pulse::Wait wait(group.pulse(), "the comparison of all ranks' parameters");
        c10d::verify_params_across_processes(group.processGroup(), m_parameters, {});
    }
    torch::NoGradGuard noGrad;
    for (const torch::Tensor& parameter : m_parameters)
        group.broadcast(parameter.detach());
    for (const torch::Tensor& buffer : buffers)
        group.broadcast(buffer.detach());
    if (needsReducer())
        makeReducer();
}

GradientSync::~GradientSync() = default;

bool GradientSync::needsReducer() const
{
    return m_options.enabled && !isDisabled("gradient-sync")
        && (!m_group.isAlone() || m_options.commHook != CommHook::None);
}

void GradientSync::makeReducer()
{
    m_logger.reset();
    m_reducer.reset(); // before the new one, as both hook into the same gradients
    const std::vector<bool> isSparse(m_parameters.size(), false);
    const auto reducer
        = std::make_shared<LastingReducer>(m_parameters, buckets(isSparse), m_group.processGroup(),
            isSparse, capBytes(m_options), m_findUnused, m_options.gradientAsBucketView, m_names,
            c10d::kDefaultFirstBucketBytes, false, false, std::vector<int64_t> {});
    if (!isDisabled("lasting-buckets"))
        reducer->keepBuckets();
    m_reducer = reducer;
    // The reducer tells it when a step leaves out other parameters than the one before, and does
    // not ask whether it has one.
    m_logger = std::make_shared<c10d::Logger>(m_reducer);
    m_reducer->set_logger(m_logger);
    if (m_options.staticGraph)
        m_reducer->set_static_graph();
    addHook(*m_reducer, m_options.commHook, m_group);
}

std::vector<std::vector<size_t>> GradientSync::buckets(const std::vector<bool>& isSparse) const
{
    const std::vector<size_t> sizes { static_cast<size_t>(c10d::kDefaultFirstBucketBytes),
        static_cast<size_t>(capBytes(m_options)) };
    if (m_findUnused || m_order.empty()) {
        auto made
            = std::get<0>(c10d::compute_bucket_assignment_by_size(m_parameters, sizes, isSparse));
        // Gradients arrive roughly in the reverse order of the forward: the last bucket goes first.
        std::reverse(made.begin(), made.end());
        return made;
    }
    std::vector<torch::Tensor> ordered;
    for (const int64_t index : m_order)
        ordered.push_back(m_parameters[static_cast<size_t>(index)]);
    return std::get<0>(c10d::compute_bucket_assignment_by_size(ordered, sizes, isSparse, m_order));
}

void GradientSync::orderBuckets(const std::vector<int64_t>& arrivals)
{
    if (!m_reducer)
        return;
    torch::Tensor ofMain = torch::tensor(arrivals, torch::kInt64);
    m_group.broadcast(ofMain);
    const torch::Tensor order = ofMain.argsort(true);
    m_order.assign(order.data_ptr<int64_t>(), order.data_ptr<int64_t>() + order.numel());
    makeReducer();
}

void GradientSync::expectUnused()
{
    if (m_findUnused || m_options.staticGraph)
        return;
    m_findUnused = true;
    if (m_reducer)
        makeReducer();
}

void GradientSync::beforeForward()
{
    if (!m_reducer)
        return;
    m_reducer->prepare_for_forward();
    m_reducer->rebuild_buckets(); // for its check that the step before was reduced whole
}

void GradientSync::beforeBackward(const torch::Tensor& loss)
{
    if (!m_reducer)
        return;
    m_reducer->prepare_for_backward(
        m_findUnused ? std::vector<torch::Tensor> { loss } : std::vector<torch::Tensor> {});
    reduceAtEnd(loss);
}

void GradientSync::resumeBackward(const torch::Tensor& rest)
{
    if (m_reducer)
        reduceAtEnd(rest);
}

void GradientSync::reduceAtEnd(const torch::Tensor& loss)
{
    if (loss.is_cpu())
        timeWait(loss);
    if (!m_isStaticAndNew)
        return;
    // The reducer only counts in this backward; who calls it has to ask for the sum at its end.
    loss.register_hook([this](const torch::Tensor&) {
        torch::autograd::Engine::get_default_engine().queue_callback([this] {
            m_reducer->delay_all_reduce();
            m_isStaticAndNew = false;
        });
    });
}

/// What is queued as backward begins runs when all gradients are there, before the reducer's own
/// end, which waits; what is queued then, after it.
void GradientSync::timeWait(const torch::Tensor& loss)
{
    loss.register_hook([this](const torch::Tensor&) {
        auto& engine = torch::autograd::Engine::get_default_engine();
        engine.queue_callback([this, &engine] {
            engine.queue_callback([this, begin = Clock::now()] {
                m_waitSeconds = std::chrono::duration<double>(Clock::now() - begin).count();
            });
        });
    });
}

void GradientSync::zeroGradients()
{
    torch::NoGradGuard noGrad;
    std::vector<torch::Tensor> gradients;
    for (torch::Tensor& parameter : m_parameters) {
        if (m_findUnused || (m_group.isAlone() && !m_reducer))
            parameter.mutable_grad().reset();
        else if (parameter.grad().defined())
            gradients.push_back(parameter.grad());
    }
    if (!gradients.empty())
        at::_foreach_zero_(gradients);
}

std::string compareReplicas(
    const Group& group, const std::vector<std::pair<std::string, torch::Tensor>>& parameters)
{
    if (group.isAlone())
        return "";
    std::vector<torch::Tensor> sums;
    for (const auto& [name, parameter] : parameters)
        sums.push_back(checksum(parameter));
    const torch::Tensor mine = torch::stack(sums).cpu();
    torch::Tensor ofMain = mine.clone();
    group.broadcast(ofMain);
    const torch::Tensor differs = (mine != ofMain).any(1).nonzero();
    const std::string found = differs.numel() == 0
        ? ""
        : parameters[static_cast<size_t>(differs[0].item<int64_t>())].first
            + " differs between rank 0 and rank " + std::to_string(group.rank());
    for (const std::string& text : group.gatherText(found)) {
        if (!text.empty())
            return text;
    }
    return "";
}

} // namespace earwright::distributed
