#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace earwright::recipe {

/// A Python constant: None, bool, int, float, str.
using PythonValue = std::variant<std::monostate, bool, int64_t, double, std::string>;

/// A text that is Python arithmetic (+ - * / // % **, parentheses, constants) is its value; none
/// where it is not, as with "results/1986". Like upstream without a unary sign: "-3" is a text. An
/// Error where Python would raise (division by zero) or the value does not fit 64 bits.
std::optional<Result<PythonValue>> evaluateArithmetic(std::string_view text);

} // namespace earwright::recipe
