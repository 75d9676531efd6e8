#include "core/model/batch_norm.h"

#include "core/model/autocast_off.h"
#include "core/model/sum_over_ranks.h"

#include <torch/utils.h>

namespace earwright::model {

BatchNorm::BatchNorm(const Options& options)
    : m_options(options)
{
    if (options.affine) {
        weight = register_parameter("weight", torch::ones(options.channels));
        bias = register_parameter("bias", torch::zeros(options.channels));
    }
    if (options.trackRunningStats) {
        runningMean = register_buffer("running_mean", torch::zeros(options.channels));
        runningVar = register_buffer("running_var", torch::ones(options.channels));
        m_batches = register_buffer("num_batches_tracked", torch::zeros({}, at::kLong));
    }
}

torch::Tensor BatchNorm::forward(const torch::Tensor& x_NCL)
{
    if (is_training() && m_batches.defined())
        m_batches.add_(1);
    if (is_training() && m_allReduce) {
        const torch::Tensor x_NLC = x_NCL.movedim(1, -1);
        return synchronised(x_NLC.flatten(0, -2)).view(x_NLC.sizes()).movedim(-1, 1);
    }
    const bool batchStatistics = is_training() || !runningMean.defined();
    return torch::batch_norm(x_NCL, weight, bias, runningMean, runningVar, batchStatistics,
        m_options.momentum, m_options.eps, at::globalContext().userEnabledCuDNN());
}

torch::Tensor BatchNorm::synchronised(const torch::Tensor& x_NC)
{
    const torch::Tensor x = x_NC.to(fullType(x_NC));
    torch::Tensor count = torch::full({ 1 }, x.size(0), x.options());
    m_allReduce(count);
    // Two rounds, mean first: the mean of squares less the square of the mean loses digits where
    // the mean is large.
    const torch::Tensor mean = sumOverRanks(x.sum(0), m_allReduce) / count;
    const torch::Tensor centred = x - mean;
    const torch::Tensor variance = sumOverRanks(centred.square().sum(0), m_allReduce) / count;
    if (runningMean.defined()) {
        const torch::NoGradGuard noGrad;
        runningMean.lerp_(mean, m_options.momentum);
        runningVar.lerp_(variance * (count / (count - 1)), m_options.momentum);
    }
    torch::Tensor output = centred * (variance + m_options.eps).rsqrt();
    if (weight.defined())
        output = torch::addcmul(bias, output, weight);
    return output.to(x_NC.scalar_type());
}

} // namespace earwright::model
