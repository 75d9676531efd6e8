#pragma once

#include "core/recipe/arithmetic.h"

namespace earwright::recipe::python {

/// Rounded down, and the remainder with the divisor's sign; `b` is not 0.
int64_t floorDivide(int64_t a, int64_t b);
int64_t modulo(int64_t a, int64_t b);
double floorDivide(double a, double b);
double modulo(double a, double b);

/// False where the power does not fit. `exponent` >= 0.
bool power(int64_t base, int64_t exponent, int64_t& result);

/// Length of the number literal a text begins with; 0 where there is none or a letter or digit
/// follows ("007", "1x").
size_t numberLength(std::string_view text);
/// The value of such a literal; an Error for an int beyond 64 bits.
Result<PythonValue> readNumber(std::string_view literal);

} // namespace earwright::recipe::python
