#pragma once

#include "core/recipe/arithmetic.h"

#include <optional>

namespace earwright::recipe::python {

enum class Operator { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power };

/// The value as Python has it; none where Python has no such operation (a TypeError). An Error
/// where it would raise, the value does not fit 64 bits, a text would be longer than
/// kMaxArithmeticBytes.
std::optional<Result<PythonValue>> apply(Operator op, const PythonValue& a, const PythonValue& b);

} // namespace earwright::recipe::python
