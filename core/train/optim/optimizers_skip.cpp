#include "core/train/optim/optimizers_skip.h"

namespace earwright::train {

std::vector<torch::Tensor> usableGradients(at::TensorList parameters, at::TensorList gradients,
    GradientRule rule, const torch::Tensor& foundInf)
{
    std::vector<torch::Tensor> usable
        = rule.maximize ? at::_foreach_neg(gradients) : gradients.vec();
    if (rule.weightDecay != 0)
        usable = at::_foreach_add(usable, parameters, rule.weightDecay);
    if (!foundInf.defined())
        return usable;
    const torch::Tensor isSkipped = foundInf != 0;
    for (torch::Tensor& gradient : usable)
        gradient = gradient.masked_fill(isSkipped, 0);
    return usable;
}

torch::Tensor unlessSkipped(double value, const torch::Tensor& foundInf, const torch::Tensor& like)
{
    const torch::Tensor kept = torch::full_like(like, value);
    return foundInf.defined() ? kept.masked_fill(foundInf != 0, 1.0) : kept;
}

void subtractUnlessSkipped(
    at::TensorList parameters, at::TensorList moves, const torch::Tensor& foundInf)
{
    if (!foundInf.defined()) {
        at::_foreach_sub_(parameters, moves);
        return;
    }
    const torch::Tensor isSkipped = foundInf != 0;
    for (size_t i = 0; i < parameters.size(); ++i)
        parameters[i].sub_(moves[i].masked_fill(isSkipped, 0));
}

} // namespace earwright::train
