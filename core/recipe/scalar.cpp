// The core schema as HyperPyYAML's reader (ruamel.yaml, YAML 1.2) has it: digits may hold "_",
// "0o17" and "0b11" are ints, "010" is ten, ".5e3" (no sign in the exponent) is a string.
#include "core/recipe/node.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace earwright::recipe {
namespace {

bool isAsciiDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string_view withoutSign(std::string_view text)
{
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    return text;
}

bool consistsOf(std::string_view text, std::string_view allowed)
{
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

struct Digits {
    int base = 10;
    std::string_view text; ///< may hold "_"
};

/// The digits of an int without its sign, or none.
std::optional<Digits> intDigits(std::string_view text)
{
    if (text.starts_with("0b") && consistsOf(text.substr(2), "01_"))
        return Digits { 2, text.substr(2) };
    if (text.starts_with("0o") && consistsOf(text.substr(2), "01234567_"))
        return Digits { 8, text.substr(2) };
    if (text.starts_with("0x") && consistsOf(text.substr(2), "0123456789abcdefABCDEF_"))
        return Digits { 16, text.substr(2) };
    if (!text.empty() && isAsciiDigit(text.front()) && consistsOf(text, "0123456789_"))
        return Digits { 10, text };
    return std::nullopt;
}

std::string withoutUnderscores(std::string_view text)
{
    std::string plain;
    for (const char c : text) {
        if (c != '_')
            plain += c;
    }
    return plain;
}

size_t skipDigits(std::string_view text, size_t at)
{
    while (at < text.size() && (isAsciiDigit(text[at]) || text[at] == '_'))
        ++at;
    return at;
}

/// "e-5" up to the end of the text.
bool isExponent(std::string_view text, bool needsSign)
{
    if (text.empty() || (text[0] != 'e' && text[0] != 'E'))
        return false;
    const bool hasSign = text.size() > 1 && (text[1] == '-' || text[1] == '+');
    return (hasSign || !needsSign) && consistsOf(text.substr(hasSign ? 2 : 1), "0123456789");
}

bool isInfinity(std::string_view text)
{
    return text == ".inf" || text == ".Inf" || text == ".INF";
}
bool isNan(std::string_view text)
{
    return text == ".nan" || text == ".NaN" || text == ".NAN";
}

bool isFloat(std::string_view whole)
{
    const std::string_view text = withoutSign(whole);
    if (text.empty() || isInfinity(text) || isNan(whole))
        return !text.empty();
    if (text[0] == '.') {
        const size_t end = skipDigits(text, 1);
        return end > 1 && (end == text.size() || isExponent(text.substr(end), true));
    }
    if (!isAsciiDigit(text[0]))
        return false;
    size_t end = skipDigits(text, 0);
    const bool hasPoint = end < text.size() && text[end] == '.';
    if (hasPoint)
        end = skipDigits(text, end + 1);
    return end == text.size() ? hasPoint : isExponent(text.substr(end), false);
}

ScalarType plainType(std::string_view text)
{
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
        return ScalarType::Null;
    for (const std::string_view word : { "true", "True", "TRUE", "false", "False", "FALSE" }) {
        if (text == word)
            return ScalarType::Bool;
    }
    if (intDigits(withoutSign(text)))
        return ScalarType::Int;
    return isFloat(text) ? ScalarType::Float : ScalarType::String;
}

/// "!!int" and its like say the type themselves.
ScalarType taggedType(const Node& node)
{
    if (node.tag == "!!int")
        return ScalarType::Int;
    if (node.tag == "!!float")
        return ScalarType::Float;
    if (node.tag == "!!bool")
        return ScalarType::Bool;
    return node.tag == "!!null" ? ScalarType::Null : ScalarType::String;
}

} // namespace

ScalarType scalarType(const Node& node)
{
    if (node.kind != Kind::Scalar)
        return ScalarType::String;
    if (!node.tag.empty())
        return taggedType(node);
    return node.style == ScalarStyle::Plain ? plainType(node.text) : ScalarType::String;
}

bool isNull(const Node& node)
{
    return node.kind == Kind::Scalar && scalarType(node) == ScalarType::Null;
}

std::optional<bool> asBool(const Node& node)
{
    if (node.kind != Kind::Scalar || scalarType(node) != ScalarType::Bool || node.text.empty())
        return std::nullopt;
    return node.text[0] == 't' || node.text[0] == 'T';
}

std::optional<int64_t> asInt(const Node& node)
{
    if (node.kind != Kind::Scalar || scalarType(node) != ScalarType::Int)
        return std::nullopt;
    const auto digits = intDigits(withoutSign(node.text));
    if (!digits)
        return std::nullopt;
    std::string text = node.text.starts_with('-') ? "-" : "";
    text += withoutUnderscores(digits->text);
    int64_t value = 0;
    const auto [end, error]
        = std::from_chars(text.data(), text.data() + text.size(), value, digits->base);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<double> asDouble(const Node& node)
{
    if (const auto integer = asInt(node))
        return static_cast<double>(*integer);
    const ScalarType type = scalarType(node);
    if (node.kind != Kind::Scalar || (type != ScalarType::Float && type != ScalarType::Int))
        return std::nullopt;
    const double sign = node.text.starts_with('-') ? -1.0 : 1.0;
    const std::string text = withoutUnderscores(withoutSign(node.text));
    if (isInfinity(text))
        return sign * std::numeric_limits<double>::infinity();
    if (isNan(text))
        return std::numeric_limits<double>::quiet_NaN();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) // 1e400 and 1e-400
        return sign * (text.find('-') != std::string::npos ? 0.0 : HUGE_VAL);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return sign * value;
}

std::string asString(const Node& node)
{
    return node.text;
}

} // namespace earwright::recipe
