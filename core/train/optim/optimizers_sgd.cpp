#include "core/train/optim/optimizers.h"

#include "core/train/optim/optimizers_skip.h"

namespace earwright::train {

FusedSgd::FusedSgd(
    std::vector<torch::optim::OptimizerParamGroup> groups, const catalog::SgdConfig& config)
    : ListOptimizer(std::move(groups))
    , m_config(config)
{
    TORCH_CHECK(!config.nesterov || (config.momentum > 0 && config.dampening == 0),
        "nesterov needs momentum above 0 and dampening 0");
    if (m_config.momentum != 0)
        addSlot("momentum_buffer");
}

void FusedSgd::update(const Batch& batch, const torch::Tensor& foundInf)
{
    if (m_config.momentum != 0 && m_config.dampening != 0) {
        updateDamped(batch, foundInf);
        return;
    }
    // Without dampening a buffer of zeros gives the first step upstream's special case gives:
    // buffer = gradient. So no step is the first one, which a skipped step would make a question
    // for the host.
    constexpr bool kIsFirstStep = false;
    at::_fused_sgd_(batch.parameters, batch.gradients,
        m_config.momentum != 0 ? at::TensorList(batch.state[0]) : at::TensorList(),
        batch.options->weightDecay, m_config.momentum, batch.options->rate(), m_config.dampening,
        m_config.nesterov, m_config.maximize, kIsFirstStep, std::nullopt,
        foundInf.defined() ? std::optional(foundInf) : std::nullopt);
}

void FusedSgd::updateDamped(const Batch& batch, const torch::Tensor& foundInf) const
{
    const Tensors gradients = usableGradients(batch.parameters, batch.gradients,
        { batch.options->weightDecay, m_config.maximize }, foundInf);
    const torch::Tensor keep = unlessSkipped(m_config.momentum, foundInf, batch.steps.front());
    at::_foreach_mul_(batch.state[0], keep);
    for (size_t i = 0; i < gradients.size(); ++i) {
        // The very first gradient enters undamped.
        const torch::Tensor share
            = torch::where(batch.steps[i] <= 1, 1.0, 1.0 - m_config.dampening).to(torch::kFloat);
        batch.state[0][i].addcmul_(gradients[i], share);
    }
    const Tensors moved = at::_foreach_mul(batch.state[0], batch.options->rate());
    subtractUnlessSkipped(batch.parameters, moved, foundInf);
}

} // namespace earwright::train
