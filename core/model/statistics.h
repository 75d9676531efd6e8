#pragma once

#include <functional>
#include <torch/torch.h>

namespace kymo::model {

/// Sums a tensor over all ranks, in place. Every rank calls it the same number of times in the same
/// order.
using AllReduceSum = std::function<void(torch::Tensor&)>;

/// A module whose statistics must be those of the whole batch over all ranks.
class SharesStatistics {
public:
    virtual ~SharesStatistics() = default;
    /// An empty function means this rank alone.
    virtual void setAllReduce(AllReduceSum allReduce) = 0;
};

/// Gives `allReduce` to every BatchNorm and InputNormalization in `module`, itself included.
void synchroniseStatistics(torch::nn::Module& module, const AllReduceSum& allReduce);

} // namespace kymo::model
