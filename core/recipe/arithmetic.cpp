#include "core/recipe/arithmetic.h"

#include "core/recipe/python_number.h"

#include <cctype>
#include <charconv>
#include <cmath>

namespace kymo::recipe {
namespace {

constexpr int kMaxParentheses = 100;

enum class Operator { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power };

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
        result = isTooLarge ? 0 : python::floorDivide(a, b);
        break;
    case Operator::Modulo:
        result = b == -1 ? 0 : python::modulo(a, b);
        break;
    case Operator::Power:
        isTooLarge = !python::power(a, b, result);
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
        return PythonValue(python::floorDivide(a, b));
    case Operator::Modulo:
        return PythonValue(python::modulo(a, b));
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

/// Recursive descent that evaluates as it reads. Once `m_isOver` it only unwinds.
class Evaluator final {
public:
    explicit Evaluator(std::string_view text)
        : m_text(text)
    {
    }

    std::optional<Result<PythonValue>> run()
    {
        // Python takes leading white space for a wrong indentation.
        if (m_text.empty() || std::isspace(static_cast<unsigned char>(m_text[0])))
            return std::nullopt;
        const PythonValue value = sum();
        skipSpace();
        if (m_error)
            return Result<PythonValue>(*m_error);
        if (m_isOver || (m_at < m_text.size() && m_text[m_at] != '#'))
            return std::nullopt;
        return Result<PythonValue>(value);
    }

private:
    void skipSpace()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t'))
            ++m_at;
    }
    bool accept(std::string_view symbol)
    {
        skipSpace();
        if (m_isOver || !m_text.substr(m_at).starts_with(symbol))
            return false;
        m_at += symbol.size();
        return true;
    }
    PythonValue giveUp()
    {
        m_isOver = true;
        return {};
    }
    PythonValue apply(Operator op, const PythonValue& a, const PythonValue& b);
    PythonValue sum();
    PythonValue product();
    PythonValue power();
    PythonValue atom();
    PythonValue parenthesis();
    PythonValue text();
    PythonValue number();

    std::string_view m_text;
    size_t m_at = 0;
    int m_depth = 0;
    bool m_isOver = false;
    std::optional<Error> m_error;
};

PythonValue Evaluator::apply(Operator op, const PythonValue& a, const PythonValue& b)
{
    if (m_isOver)
        return {};
    const auto* first = std::get_if<std::string>(&a);
    const auto* second = std::get_if<std::string>(&b);
    if (op == Operator::Add && first && second)
        return *first + *second;
    if (!isNumber(a) || !isNumber(b))
        return giveUp();
    const Result<PythonValue> result = applyToNumbers(op, a, b);
    if (result)
        return *result;
    m_error = result.error();
    return giveUp();
}

PythonValue Evaluator::sum()
{
    PythonValue value = product();
    for (;;) {
        if (accept("+"))
            value = apply(Operator::Add, value, product());
        else if (accept("-"))
            value = apply(Operator::Subtract, value, product());
        else
            return value;
    }
}

PythonValue Evaluator::product()
{
    PythonValue value = power();
    for (;;) {
        if (accept("//"))
            value = apply(Operator::FloorDivide, value, power());
        else if (accept("/"))
            value = apply(Operator::Divide, value, power());
        else if (accept("*"))
            value = apply(Operator::Multiply, value, power());
        else if (accept("%"))
            value = apply(Operator::Modulo, value, power());
        else
            return value;
    }
}

PythonValue Evaluator::power()
{
    // A chain "2**2**2" is counted like parentheses: it nests as deep.
    if (++m_depth > kMaxParentheses)
        return giveUp();
    PythonValue value = atom();
    if (accept("**"))
        value = apply(Operator::Power, value, power());
    --m_depth;
    return value;
}

PythonValue Evaluator::atom()
{
    if (accept("("))
        return parenthesis();
    skipSpace();
    if (m_isOver || m_at >= m_text.size())
        return giveUp();
    if (m_text[m_at] == '\'' || m_text[m_at] == '"')
        return text();
    for (const auto& [word, value] : { std::pair<std::string_view, PythonValue> { "True", true },
             { "False", false }, { "None", std::monostate {} } }) {
        if (accept(word))
            return value;
    }
    return number();
}

PythonValue Evaluator::parenthesis()
{
    const PythonValue value = sum();
    return accept(")") ? value : giveUp();
}

PythonValue Evaluator::text()
{
    const char quote = m_text[m_at];
    const size_t end = m_text.find(quote, m_at + 1);
    if (end == std::string_view::npos)
        return giveUp();
    const std::string_view content = m_text.substr(m_at + 1, end - m_at - 1);
    if (content.find_first_of("\\\n") != std::string_view::npos)
        return giveUp();
    m_at = end + 1;
    return std::string(content);
}

PythonValue Evaluator::number()
{
    const size_t length = python::numberLength(m_text.substr(m_at));
    if (length == 0)
        return giveUp();
    const Result<PythonValue> value = python::readNumber(m_text.substr(m_at, length));
    m_at += length;
    if (value)
        return *value;
    m_error = value.error();
    return giveUp();
}

} // namespace

std::optional<Result<PythonValue>> evaluateArithmetic(std::string_view text)
{
    return Evaluator(text).run();
}

} // namespace kymo::recipe
