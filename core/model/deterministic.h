#pragma once

#include <torch/types.h>

/// What a run with `deterministic: True` computes otherwise: CUDA's kernels of the operators below
/// add by atomics, in another order each time, so two equal runs part after a few steps.
namespace earwright::model {

/// For the whole process, before its first use of CUDA: LibTorch takes kernels with a fixed order,
/// and throws c10::Error where an operator has none.
void makeDeterministic();

/// Whether this tensor's device needs the slower way. CPU kernels have a fixed order anyway.
bool needsFixedOrder(const torch::Tensor& x);

/// torch.cumsum over dimension 1 of [batch, time] or [batch, time, features], in `type`.
torch::Tensor cumulativeSum(const torch::Tensor& x, at::ScalarType type);
/// The same as a product with a triangle of ones, in float64.
torch::Tensor cumulativeSumByProduct(const torch::Tensor& x, at::ScalarType type);

/// torch.nn.functional.pad(mode='reflect'): two sides of each dimension, the last dimension first.
/// Throws c10::Error where a side is not shorter than its dimension.
torch::Tensor reflectionPad(const torch::Tensor& x, at::IntArrayRef sides);
/// The same of flipped copies.
torch::Tensor reflectionPadByFlips(torch::Tensor x, at::IntArrayRef sides);

struct CtcTargets {
    torch::Tensor labels_BS; ///< ids, padded with anything
    torch::Tensor frames_B; ///< int64, of the scores
    torch::Tensor labels_B; ///< int64
};

/// torch::ctc_loss(zero_infinity=true) of logProbs [time, batch, labels] and an at::Reduction.
torch::Tensor ctcLossOf(const torch::Tensor& logProbs_TBV, const CtcTargets& targets,
    int64_t blankIndex, int64_t reduction);
/// The same, loss and gradient computed on the host.
torch::Tensor ctcLossOnHost(const torch::Tensor& logProbs_TBV, const CtcTargets& targets,
    int64_t blankIndex, int64_t reduction);

} // namespace earwright::model
