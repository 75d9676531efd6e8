#pragma once

#include "tests/model/parity/case.h"

namespace earwright::tests {

/// How often each row of a CIF predictor fires. [batch, time] -> [batch].
torch::Tensor firesOf(const torch::Tensor& peaks_BT);

// Note [The last fire]
// In training the weights of a row add up to its number of tokens, so whether the last token fires
// hangs on one rounding, which another processor may do otherwise: an embedding is there or not,
// and no tolerance spans that. Where a row's last fire alone is another than upstream's, the
// predictor's bias is moved by ulps until each row fires as often as upstream's did; all numbers,
// out.fired_per_row among them, must then agree within the stated tolerance.

/// `bias`: of the predictor's cif_output. `peaks_BT` computes anew.
void settleFires(const Case& test, torch::Tensor bias,
    const std::function<torch::Tensor()>& peaks_BT, Comparison& compare);

} // namespace earwright::tests
