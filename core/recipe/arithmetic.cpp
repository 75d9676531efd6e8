#include "core/recipe/arithmetic.h"

#include "core/recipe/python_number.h"
#include "core/recipe/python_operator.h"

#include <cctype>

namespace earwright::recipe {
namespace {

using python::Operator;

constexpr int kMaxParentheses = 100;

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
    const auto result = python::apply(op, a, b);
    if (!result)
        return giveUp();
    if (*result)
        return **result;
    m_error = result->error();
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

/// Literals side by side are one text.
PythonValue Evaluator::text()
{
    std::string whole;
    while (m_at < m_text.size() && (m_text[m_at] == '\'' || m_text[m_at] == '"')) {
        const size_t end = m_text.find(m_text[m_at], m_at + 1);
        if (end == std::string_view::npos)
            return giveUp();
        const std::string_view content = m_text.substr(m_at + 1, end - m_at - 1);
        if (content.find_first_of("\\\n") != std::string_view::npos)
            return giveUp();
        whole += content;
        m_at = end + 1;
        skipSpace();
    }
    return whole;
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

} // namespace earwright::recipe
