#include "core/train/optim/optimizers.h"

#include <torch/utils.h>

namespace earwright::train {

namespace {

std::optional<torch::Tensor> given(const torch::Tensor& foundInf)
{
    return foundInf.defined() ? std::optional(foundInf) : std::nullopt;
}

} // namespace

ListOptimizer::ListOptimizer(std::vector<torch::optim::OptimizerParamGroup> groups)
    : Optimizer(groups, std::make_unique<GroupOptions>())
{
    int64_t count = 0;
    for (const auto& group : param_groups())
        count += static_cast<int64_t>(group.params().size());
    TORCH_CHECK(count > 0, "an optimizer needs parameters");
    const auto options = param_groups()
                             .front()
                             .params()
                             .front()
                             .options()
                             .dtype(torch::kFloat)
                             .requires_grad(false);
    m_stepCounts = torch::zeros({ count }, options);
    m_steps = m_stepCounts.unbind();
}

void ListOptimizer::addSlot(std::string name)
{
    const torch::NoGradGuard noGrad;
    Slot slot { std::move(name), {} };
    for (const auto& group : param_groups())
        for (const auto& parameter : group.params())
            slot.tensors.push_back(
                torch::zeros_like(parameter, at::MemoryFormat::Preserve).detach());
    m_slots.push_back(std::move(slot));
}

torch::Tensor ListOptimizer::step(LossClosure closure)
{
    torch::Tensor loss;
    if (closure) {
        const at::AutoGradMode grad(true);
        loss = closure();
    }
    stepUnless({});
    return loss;
}

void ListOptimizer::stepUnless(const torch::Tensor& foundInf)
{
    const torch::NoGradGuard noGrad;
    size_t firstIndex = 0;
    for (const auto& group : param_groups()) {
        const Batch batch = batchOf(group, firstIndex);
        firstIndex += group.params().size();
        if (batch.parameters.empty())
            continue;
        if (foundInf.defined())
            at::_foreach_add_(batch.steps, 1 - foundInf);
        else
            at::_foreach_add_(batch.steps, 1);
        update(batch, foundInf);
    }
}

ListOptimizer::Batch ListOptimizer::batchOf(
    const torch::optim::OptimizerParamGroup& group, size_t firstIndex) const
{
    Batch batch;
    batch.options = &static_cast<const GroupOptions&>(group.options());
    batch.state.resize(m_slots.size());
    for (size_t i = 0; i < group.params().size(); ++i) {
        const torch::Tensor& parameter = group.params()[i];
        if (!parameter.grad().defined())
            continue;
        batch.parameters.push_back(parameter);
        batch.gradients.push_back(parameter.grad());
        batch.steps.push_back(m_steps[firstIndex + i]);
        for (size_t slot = 0; slot < m_slots.size(); ++slot)
            batch.state[slot].push_back(m_slots[slot].tensors[firstIndex + i]);
    }
    return batch;
}

std::vector<std::pair<std::string, torch::Tensor>> ListOptimizer::namedState() const
{
    std::vector<std::pair<std::string, torch::Tensor>> named;
    for (size_t i = 0; i < m_steps.size(); ++i) {
        const std::string index = std::to_string(i) + ".";
        named.emplace_back(index + "step", m_steps[i]);
        for (const Slot& slot : m_slots)
            named.emplace_back(index + slot.name, slot.tensors[i]);
    }
    return named;
}

FusedAdam::FusedAdam(
    std::vector<torch::optim::OptimizerParamGroup> groups, const catalog::AdamConfig& config)
    : ListOptimizer(std::move(groups))
    , m_config(config)
{
    addSlot("exp_avg");
    addSlot("exp_avg_sq");
    if (m_config.amsgrad)
        addSlot("max_exp_avg_sq");
}

void FusedAdam::update(const Batch& batch, const torch::Tensor& foundInf)
{
    const auto kernel = m_config.decoupledWeightDecay
        ? static_cast<decltype(&at::_ops::_fused_adamw_::call)>(at::_ops::_fused_adamw_::call)
        : at::_ops::_fused_adam_::call;
    kernel(batch.parameters, batch.gradients, batch.state[0], batch.state[1],
        m_config.amsgrad ? at::TensorList(batch.state[2]) : at::TensorList(), batch.steps,
        batch.options->rate(), m_config.betas[0], m_config.betas[1], batch.options->weightDecay,
        m_config.eps, m_config.amsgrad, m_config.maximize, std::nullopt, given(foundInf));
}

} // namespace earwright::train
