#pragma once

#include <ATen/record_function.h>

namespace earwright::precision {

/// Whether the operator is one that flopsOf() knows ("aten::addmm").
bool isMatrixOperator(const char* name);

/// Floating-point operations, a multiply-add being two.
struct Work {
    double flops = 0; ///< known from the inputs
    double perOutputElement = 0; ///< to be multiplied by the elements of the first output
};

/// Of a matrix operator. Only within an observer's start callback: PyTorch frees the boxed inputs
/// right after it.
Work workOf(const at::RecordFunction& operation);

} // namespace earwright::precision
