#pragma once

#include <functional>
#include <torch/nn/module.h>

namespace earwright::model {

/// Sums a tensor over all ranks, in place. Every rank calls it the same number of times in the same
/// order.
using AllReduceSum = std::function<void(torch::Tensor&)>;

/// A module whose statistics must be those of the whole batch over all ranks.
class SharesStatistics {
public:
    virtual ~SharesStatistics() = default;
    /// An empty function means this rank alone.
    virtual void setAllReduce(AllReduceSum allReduce) = 0;
    /// Whether what becomes of a row depends on the other rows of its batch.
    virtual bool mixesRows() const { return true; }
};

/// Which modules share their statistics over ranks: `sync_batchnorm: False` leaves each rank's
/// BatchNorm to its own rows.
enum class Shared { All, AllButBatchNorm };

/// Gives `allReduce` to every BatchNorm and InputNormalization in `module`, itself included.
void synchroniseStatistics(
    torch::nn::Module& module, const AllReduceSum& allReduce, Shared which = Shared::All);

/// Whether some module in it mixes the rows of a batch.
bool mixesRows(torch::nn::Module& module);

} // namespace earwright::model
