#include "core/train/optim/optimizers.h"

#include "core/train/optim/optimizers_skip.h"

namespace earwright::train {

ListAdadelta::ListAdadelta(
    std::vector<torch::optim::OptimizerParamGroup> groups, const catalog::AdadeltaConfig& config)
    : ListOptimizer(std::move(groups))
    , m_config(config)
{
    addSlot("square_avg");
    addSlot("acc_delta");
}

void ListAdadelta::update(const Batch& batch, const torch::Tensor& foundInf)
{
    const Tensors& squareAverages = batch.state[0];
    const Tensors& deltaAverages = batch.state[1];
    const Tensors gradients = usableGradients(batch.parameters, batch.gradients,
        { batch.options->weightDecay, m_config.maximize }, foundInf);
    const torch::Tensor rho = unlessSkipped(m_config.rho, foundInf, batch.steps.front());

    at::_foreach_mul_(squareAverages, rho);
    at::_foreach_addcmul_(squareAverages, gradients, gradients, 1 - m_config.rho);
    const Tensors spread = at::_foreach_add(squareAverages, m_config.eps);
    at::_foreach_sqrt_(spread);
    const Tensors deltas = at::_foreach_add(deltaAverages, m_config.eps);
    at::_foreach_sqrt_(deltas);
    at::_foreach_div_(deltas, spread);
    at::_foreach_mul_(deltas, gradients);
    at::_foreach_mul_(deltaAverages, rho);
    at::_foreach_addcmul_(deltaAverages, deltas, deltas, 1 - m_config.rho);
    at::_foreach_add_(batch.parameters, deltas, -batch.options->rate());
}

} // namespace earwright::train
