#pragma once

#include "core/model/statistics.h"

#include <torch/nn/module.h>

// Shapes: N rows, C channels, L all dimensions behind them.

namespace earwright::model {

/// torch.nn.BatchNorm1d and 2d, of [batch, channels, …]: weight, bias, running_mean, running_var,
/// num_batches_tracked. Training: mean and biased variance of the values of all ranks; the running
/// variance is the unbiased one. LibTorch's kernel for [rows, channels] takes a sixth of the time
/// of that for three dimensions, and its gradients carry three times the rounding error.
class BatchNorm final : public torch::nn::Module, public SharesStatistics {
public:
    struct Options {
        int64_t channels = 0;
        double eps = 1e-5;
        double momentum = 0.1;
        bool affine = true;
        bool trackRunningStats = true;
    };
    explicit BatchNorm(const Options& options);

    torch::Tensor forward(const torch::Tensor& x_NCL);
    void setAllReduce(AllReduceSum allReduce) override { m_allReduce = std::move(allReduce); }

    torch::Tensor weight;
    torch::Tensor bias;
    torch::Tensor runningMean;
    torch::Tensor runningVar;

private:
    torch::Tensor synchronised(const torch::Tensor& x_NC);

    Options m_options;
    torch::Tensor m_batches;
    AllReduceSum m_allReduce;
};

} // namespace earwright::model
