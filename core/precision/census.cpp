#include "core/precision/census.h"

#include "core/precision/flops.h"

#include <ATen/Context.h>
#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <string_view>

namespace earwright::precision {

namespace {

constexpr std::array<const char*, Census::kKinds> kNames { "float32", "tf32", "float16", "bfloat16",
    "float64" };

/// Work since the program started. RecordFunction takes plain functions as callbacks, hence the
/// statics.
std::array<std::atomic<double>, Census::kKinds> g_work;

struct Registration {
    std::mutex mutex; ///< guards all below
    int users = 0;
    std::optional<at::CallbackHandle> handle;
};

Registration& registration()
{
    static Registration instance;
    return instance;
}

bool mayUseTf32(const at::Tensor& tensor, std::string_view name)
{
    const bool isCudnn
        = name.find("conv") != std::string_view::npos || name.find("rnn") != std::string_view::npos;
    return tensor.is_cuda()
        && (isCudnn ? at::globalContext().allowTF32CuDNN() : at::globalContext().allowTF32CuBLAS());
}

std::optional<size_t> kindOf(const at::Tensor& tensor, std::string_view name)
{
    switch (tensor.scalar_type()) {
    case at::kFloat:
        return mayUseTf32(tensor, name) ? 1 : 0;
    case at::kHalf:
        return 2;
    case at::kBFloat16:
        return 3;
    case at::kDouble:
        return 4;
    default:
        return {};
    }
}

std::optional<size_t> kindOf(const at::RecordFunction& operation)
{
    for (const c10::IValue& input : operation.inputs())
        if (input.isTensor() && input.toTensor().defined())
            return kindOf(input.toTensor(), operation.name());
    return {};
}

/// An operator under way on this thread. One that calls another matrix operator did no work itself:
/// under autocast the outer call still has float32 arguments, its inner one those that the kernel
/// sees.
struct Running final : at::ObserverContext {
    Running* parent = nullptr;
    bool calledAnother = false;
    std::optional<size_t> kind;
    Work work;
};

thread_local Running* t_running = nullptr;

std::unique_ptr<at::ObserverContext> started(const at::RecordFunction& operation)
{
    if (!isMatrixOperator(operation.name()))
        return nullptr;
    auto running = std::make_unique<Running>();
    running->parent = t_running;
    running->kind = kindOf(operation);
    running->work = workOf(operation);
    t_running = running.get();
    return running;
}

void ended(const at::RecordFunction& operation, at::ObserverContext* context)
{
    auto* running = static_cast<Running*>(context);
    if (running == nullptr)
        return;
    t_running = running->parent;
    if (running->parent != nullptr)
        running->parent->calledAnother = true;
    if (running->calledAnother || !running->kind)
        return;
    double elements = 0;
    if (!operation.outputs().empty() && operation.outputs().front().isTensor())
        elements = static_cast<double>(operation.outputs().front().toTensor().numel());
    g_work[*running->kind].fetch_add(
        running->work.flops + running->work.perOutputElement * elements);
}

void addUser()
{
    const std::lock_guard lock(registration().mutex);
    if (registration().users++ > 0)
        return;
    registration().handle = at::addGlobalCallback(at::RecordFunctionCallback(started, ended)
                                                      .needsInputs(true)
                                                      .needsOutputs(true)
                                                      .scopes({ at::RecordScope::FUNCTION }));
}

void removeUser()
{
    const std::lock_guard lock(registration().mutex);
    if (--registration().users == 0)
        at::removeCallback(*registration().handle);
}

std::array<double, Census::kKinds> workNow()
{
    std::array<double, Census::kKinds> now {};
    for (size_t kind = 0; kind < now.size(); ++kind)
        now[kind] = g_work[kind].load();
    return now;
}

} // namespace

Census::Census()
    : m_atStart(workNow())
{
    addUser();
}

Census::~Census()
{
    removeUser();
}

std::array<double, Census::kKinds> Census::worked() const
{
    std::array<double, kKinds> work = workNow();
    for (size_t kind = 0; kind < kKinds; ++kind)
        work[kind] -= m_atStart[kind];
    return work;
}

double Census::flops() const
{
    const auto work = worked();
    return std::accumulate(work.begin(), work.end(), 0.0);
}

std::map<std::string, double> Census::shares() const
{
    const auto work = worked();
    const double total = std::accumulate(work.begin(), work.end(), 0.0);
    std::map<std::string, double> shares;
    for (size_t kind = 0; kind < kKinds; ++kind)
        if (work[kind] > 0)
            shares[kNames[kind]] = work[kind] / total;
    return shares;
}

} // namespace earwright::precision
