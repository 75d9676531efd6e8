#pragma once

#include <torch/types.h>

namespace earwright::precision {

/// An optimizer that leaves parameters and state bit-equal where `foundInf` says so, decided on the
/// device. Every optimizer of train::makeOptimizer is one; any other is asked on the host, which
/// costs a synchronous read per step.
class Skippable {
public:
    virtual ~Skippable() = default;

    /// foundInf: 0-d float on the parameters' device; 0 steps, 1 does not. Undefined always steps.
    virtual void stepUnless(const torch::Tensor& foundInf) = 0;
};

} // namespace earwright::precision
