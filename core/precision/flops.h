#pragma once

#include <ATen/record_function.h>

namespace kymo::precision {

/// Whether the operator is one that flopsOf() knows ("aten::addmm").
bool isMatrixOperator(const char* name);

/// Floating-point operations (a multiply-add is two) of a matrix operator from its inputs and outputs, 0 where they tell nothing.
double flopsOf(const at::RecordFunction& operation);

} // namespace kymo::precision
