#include "core/precision/precision.h"

#include "core/base/mutation.h"
#include "core/precision/skippable.h"
#include "core/precision/tf32.h"

#include <torch/autograd.h>

namespace earwright::precision {

namespace {

constexpr double kGrowthFactor = 2.0;
constexpr double kBackoffFactor = 0.5;
constexpr int64_t kGrowthInterval = 2000;
/// At a scale of 0, which halving comes to, gradients of 0 would become NaN without being found.
constexpr double kLeastScale = 1 / kInitialScale;

std::vector<torch::Tensor> gradientsOf(const torch::optim::Optimizer& optimizer)
{
    std::vector<torch::Tensor> gradients;
    for (const auto& group : optimizer.param_groups())
        for (const auto& parameter : group.params())
            if (parameter.grad().defined())
                gradients.push_back(parameter.grad());
    return gradients;
}

torch::Tensor totalNorm(const std::vector<torch::Tensor>& gradients, c10::Device device)
{
    if (gradients.empty())
        return torch::zeros({}, torch::TensorOptions(device).dtype(torch::kFloat));
    return at::linalg_vector_norm(torch::stack(at::_foreach_norm(gradients, 2)), 2);
}

torch::Tensor notFinite(const torch::Tensor& norm)
{
    return norm.isfinite().logical_not().to(torch::kFloat);
}

void clip(const std::vector<torch::Tensor>& gradients, const torch::Tensor& norm, double maxNorm)
{
    if (maxNorm <= 0 || gradients.empty())
        return;
    // Always multiplied, also by 1: asking whether it is needed would wait for the device.
    at::_foreach_mul_(gradients, (maxNorm / (norm + 1e-6)).clamp_max(1.0));
}

void stepUnless(torch::optim::Optimizer& optimizer, const torch::Tensor& foundInf)
{
    if (auto* skippable = dynamic_cast<Skippable*>(&optimizer))
        skippable->stepUnless(foundInf);
    else if (foundInf.item<float>() == 0.0F)
        optimizer.step();
}

} // namespace

struct Precision::State {
    Type type;
    Type evalType;
    c10::Device device;
    torch::Tensor scale; ///< 0-d float; undefined without loss scaling
    torch::Tensor growthTracker; ///< 0-d int32: finite steps since the scale last changed

    torch::Tensor scaled(const torch::Tensor& loss) const
    {
        return scale.defined() ? loss * scale : loss;
    }

    StepResult step(
        torch::optim::Optimizer& optimizer, double maxGradNorm, bool skipNonFinite) const;
};

Precision::Precision(Type type, Type evalType, c10::Device device, std::optional<bool> scaleLoss,
    double initialScale)
    : m_state(std::make_unique<State>(State { type, evalType, device, {}, {} }))
{
    if (!scaleLoss.value_or(type == Type::Fp16))
        return;
    const auto options = torch::TensorOptions(device);
    m_state->scale = torch::full({}, initialScale, options.dtype(torch::kFloat));
    m_state->growthTracker = torch::zeros({}, options.dtype(torch::kInt));
}

Precision::~Precision() = default;

std::unique_ptr<Autocast> Precision::autocast() const
{
    return std::make_unique<Autocast>(m_state->type, m_state->device.type());
}

std::unique_ptr<Autocast> Precision::evalAutocast() const
{
    return std::make_unique<Autocast>(m_state->evalType, m_state->device.type());
}

void Precision::backward(const torch::Tensor& loss, bool keepsGraph)
{
    const Tf32Scope tf32(m_state->type == Type::Tf32);
    m_state->scaled(loss).backward({}, keepsGraph);
}

std::vector<torch::Tensor> Precision::gradients(
    const torch::Tensor& loss, const std::vector<torch::Tensor>& inputs, bool keepsGraph) const
{
    const Tf32Scope tf32(m_state->type == Type::Tf32);
    return torch::autograd::grad({ m_state->scaled(loss) }, inputs, {}, keepsGraph, false, true);
}

StepResult Precision::State::step(
    torch::optim::Optimizer& optimizer, double maxGradNorm, bool skipNonFinite) const
{
    const std::vector<torch::Tensor> gradients = gradientsOf(optimizer);
    StepResult result;
    if (scale.defined()) {
        // The reciprocal in double, as torch.amp.GradScaler takes it.
        const torch::Tensor inverse = scale.to(torch::kDouble).reciprocal().to(torch::kFloat);
        result.foundInf = torch::zeros_like(scale);
        at::_amp_foreach_non_finite_check_and_unscale_(gradients, result.foundInf, inverse);
    }
    result.gradNorm = totalNorm(gradients, device);
    if (!scale.defined())
        result.foundInf = notFinite(result.gradNorm);
    clip(gradients, result.gradNorm, maxGradNorm);
    if (scale.defined() || skipNonFinite)
        stepUnless(optimizer, result.foundInf);
    else
        optimizer.step();
    return result;
}

StepResult Precision::step(
    torch::optim::Optimizer& optimizer, double maxGradNorm, bool skipNonFinite)
{
    return step(std::vector { &optimizer }, maxGradNorm, skipNonFinite);
}

StepResult Precision::step(
    const std::vector<torch::optim::Optimizer*>& optimizers, double maxGradNorm, bool skipNonFinite)
{
    const bool isScaled = m_state->scale.defined();
    StepResult result;
    for (torch::optim::Optimizer* optimizer : optimizers) {
        const StepResult one = m_state->step(*optimizer, maxGradNorm, skipNonFinite);
        const bool isFirst = !result.gradNorm.defined();
        result.gradNorm = isFirst ? one.gradNorm : at::hypot(result.gradNorm, one.gradNorm);
        result.foundInf = isFirst ? one.foundInf : at::maximum(result.foundInf, one.foundInf);
    }
    if (isScaled) {
        at::_amp_update_scale_(m_state->scale, m_state->growthTracker, result.foundInf,
            kGrowthFactor, isDisabled("scaler-backoff") ? 1 : kBackoffFactor, kGrowthInterval);
        m_state->scale.clamp_min_(kLeastScale);
        result.lossScale = m_state->scale.clone();
    }
    return result;
}

std::vector<std::pair<std::string, torch::Tensor>> Precision::state() const
{
    if (!m_state->scale.defined())
        return {};
    return { { "scale", m_state->scale.clone() },
        { "growth_tracker", m_state->growthTracker.clone() } };
}

void Precision::restore(const std::vector<std::pair<std::string, torch::Tensor>>& state)
{
    if (!m_state->scale.defined())
        return;
    for (const auto& [name, value] : state) {
        if (name == "scale")
            m_state->scale.copy_(value);
        if (name == "growth_tracker")
            m_state->growthTracker.copy_(value);
    }
}

} // namespace earwright::precision
