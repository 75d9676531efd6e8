#pragma once

#include "core/model/statistics.h"

namespace earwright::model {

/// A new tensor. Its gradient is the sum over ranks of the gradient: what makes statistics of the
/// global batch differentiable.
torch::Tensor sumOverRanks(const torch::Tensor& sums, const AllReduceSum& allReduce);

} // namespace earwright::model
