#include "core/recipe/python_operator.h"

#include "core/recipe/limits.h"
#include "core/recipe/python_number.h"

#include <cmath>

namespace earwright::recipe::python {
namespace {

bool isNumber(const PythonValue& value)
{
    return value.index() >= 1 && value.index() <= 3;
}

double toDouble(const PythonValue& value)
{
    if (const auto* number = std::get_if<double>(&value))
        return *number;
    if (const auto* integer = std::get_if<int64_t>(&value))
        return static_cast<double>(*integer);
    return std::get<bool>(value) ? 1.0 : 0.0;
}

int64_t toInt(const PythonValue& value)
{
    if (const auto* integer = std::get_if<int64_t>(&value))
        return *integer;
    return std::get<bool>(value) ? 1 : 0;
}

Result<PythonValue> applyToInts(Operator op, int64_t a, int64_t b)
{
    int64_t result = 0;
    bool isTooLarge = false;
    switch (op) {
    case Operator::Add:
        isTooLarge = __builtin_add_overflow(a, b, &result);
        break;
    case Operator::Subtract:
        isTooLarge = __builtin_sub_overflow(a, b, &result);
        break;
    case Operator::Multiply:
        isTooLarge = __builtin_mul_overflow(a, b, &result);
        break;
    case Operator::FloorDivide:
        isTooLarge = a == INT64_MIN && b == -1;
        result = isTooLarge ? 0 : floorDivide(a, b);
        break;
    case Operator::Modulo:
        result = b == -1 ? 0 : modulo(a, b);
        break;
    case Operator::Power:
        isTooLarge = !power(a, b, result);
        break;
    case Operator::Divide:
        return PythonValue(static_cast<double>(a) / static_cast<double>(b));
    }
    if (isTooLarge)
        return Error { "the value does not fit 64 bits" };
    return PythonValue(result);
}

Result<PythonValue> applyToDoubles(Operator op, double a, double b)
{
    switch (op) {
    case Operator::Add:
        return PythonValue(a + b);
    case Operator::Subtract:
        return PythonValue(a - b);
    case Operator::Multiply:
        return PythonValue(a * b);
    case Operator::Divide:
        return PythonValue(a / b);
    case Operator::FloorDivide:
        return PythonValue(floorDivide(a, b));
    case Operator::Modulo:
        return PythonValue(modulo(a, b));
    case Operator::Power:
        break;
    }
    const double power = std::pow(a, b);
    if (std::isnan(power) && !std::isnan(a) && !std::isnan(b))
        return Error { "a fractional power of a negative number is no real number" };
    if (std::isinf(power) && std::isfinite(a) && std::isfinite(b))
        return Error { "the power is too large" };
    return PythonValue(power);
}

bool dividesByZero(Operator op, const PythonValue& a, const PythonValue& b)
{
    if (op == Operator::Power)
        return toDouble(a) == 0.0 && toDouble(b) < 0.0;
    const bool divides
        = op == Operator::Divide || op == Operator::FloorDivide || op == Operator::Modulo;
    return divides && toDouble(b) == 0.0;
}

Result<PythonValue> applyToNumbers(Operator op, const PythonValue& a, const PythonValue& b)
{
    if (dividesByZero(op, a, b))
        return Error { "division by zero" };
    const bool isReal = std::holds_alternative<double>(a) || std::holds_alternative<double>(b)
        || (op == Operator::Power && toInt(b) < 0);
    return isReal ? applyToDoubles(op, toDouble(a), toDouble(b))
                  : applyToInts(op, toInt(a), toInt(b));
}

Result<PythonValue> repeated(const std::string& text, int64_t count)
{
    const size_t times = count > 0 ? static_cast<size_t>(count) : 0;
    if (!text.empty() && times > kMaxArithmeticBytes / text.size())
        return Error { "the text would be too long" };
    std::string result;
    for (size_t i = 0; i < times && !text.empty(); ++i)
        result += text;
    return PythonValue(std::move(result));
}

std::optional<Result<PythonValue>> applyToTexts(
    Operator op, const PythonValue& a, const PythonValue& b)
{
    const auto* first = std::get_if<std::string>(&a);
    const auto* second = std::get_if<std::string>(&b);
    const auto isInt = [](const PythonValue& value) {
        return std::holds_alternative<bool>(value) || std::holds_alternative<int64_t>(value);
    };
    if (op == Operator::Add && first && second) {
        if (first->size() + second->size() > kMaxArithmeticBytes)
            return Result<PythonValue>(Error { "the text would be too long" });
        return Result<PythonValue>(PythonValue(*first + *second));
    }
    if (op == Operator::Multiply && first && isInt(b))
        return repeated(*first, toInt(b));
    if (op == Operator::Multiply && second && isInt(a))
        return repeated(*second, toInt(a));
    if (op == Operator::Modulo && first && first->find('%') != std::string::npos)
        return Result<PythonValue>(Error { "'%' after a text, Python's formatting, is not read" });
    return std::nullopt;
}

} // namespace

std::optional<Result<PythonValue>> apply(Operator op, const PythonValue& a, const PythonValue& b)
{
    if (isNumber(a) && isNumber(b))
        return applyToNumbers(op, a, b);
    return applyToTexts(op, a, b);
}

} // namespace earwright::recipe::python
