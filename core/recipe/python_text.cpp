#include "core/recipe/python_text.h"

#include "core/base/text.h"
#include "core/recipe/tuple.h"

#include <cmath>

namespace earwright::recipe {
namespace {

/// repr() of a str: single quotes unless only they occur in it.
std::string pythonQuoted(std::string_view text)
{
    const bool hasSingle = text.find('\'') != std::string_view::npos;
    const char quote = hasSingle && text.find('"') == std::string_view::npos ? '"' : '\'';
    std::string result(1, quote);
    for (const char c : text) {
        if (c == '\n')
            result += "\\n";
        else if (c == '\t')
            result += "\\t";
        else if (c == '\r')
            result += "\\r";
        else if (c == '\\' || c == quote)
            result += std::string("\\") + c;
        else
            result += c;
    }
    return result + quote;
}

std::string scalarText(const Node& node)
{
    switch (scalarType(node)) {
    case ScalarType::Null:
        return "None";
    case ScalarType::Bool:
        return asBool(node).value_or(false) ? "True" : "False";
    case ScalarType::Int:
        if (const auto value = asInt(node))
            return std::to_string(*value);
        return node.text;
    case ScalarType::Float:
        if (const auto value = asDouble(node))
            return formatDouble(*value);
        return node.text;
    case ScalarType::String:
        break;
    }
    return node.text;
}

std::string insideText(const Node& node)
{
    const bool isString
        = node.kind == Kind::Scalar && node.tag.empty() && scalarType(node) == ScalarType::String;
    return isString ? pythonQuoted(node.text) : pythonText(node);
}

} // namespace

std::string pythonText(const Node& node)
{
    if (node.kind == Kind::Scalar)
        return scalarText(node);
    std::vector<std::string> parts;
    for (const NodePtr& item : node.items)
        parts.push_back(insideText(*item));
    for (const Entry& entry : node.entries)
        parts.push_back(insideText(*entry.key) + ": " + insideText(*entry.value));
    const bool isMapping = node.kind == Kind::Mapping;
    std::string text = isMapping ? "{" : "[";
    return text.append(join(parts, ", ")).append(1, isMapping ? '}' : ']');
}

NodePtr stringNode(std::string text)
{
    NodePtr node = makeScalar(std::move(text));
    if (scalarType(*node) != ScalarType::String)
        node->style = ScalarStyle::Quoted;
    return node;
}

NodePtr nodeOf(const PythonValue& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return stringNode(*text);
    if (const auto* flag = std::get_if<bool>(&value))
        return makeScalar(*flag ? "true" : "false");
    if (const auto* integer = std::get_if<int64_t>(&value))
        return makeScalar(std::to_string(*integer));
    const auto* number = std::get_if<double>(&value);
    if (!number)
        return makeScalar("null");
    if (std::isfinite(*number))
        return makeScalar(formatDouble(*number));
    return makeScalar(std::isnan(*number) ? ".nan" : *number < 0 ? "-.inf" : ".inf");
}

} // namespace earwright::recipe
