#include "core/base/text.h"
#include "core/catalog/read_impl.h"

namespace earwright::catalog {

namespace {

std::string bracketed(const std::vector<std::string>& parts)
{
    std::string text = "[";
    text += join(parts, ", ");
    text += "]";
    return text;
}

template <class List>
std::string listText(const List& values)
{
    std::vector<std::string> parts;
    for (const auto& value : values)
        parts.push_back(defaultText(value));
    return bracketed(parts);
}

} // namespace

std::string defaultText(int64_t value)
{
    return std::to_string(value);
}

std::string defaultText(double value)
{
    return formatDouble(value);
}

std::string defaultText(bool value)
{
    return value ? "True" : "False";
}

std::string defaultText(const std::string& value)
{
    return value;
}

std::string defaultText(const std::vector<int64_t>& value)
{
    return listText(value);
}

std::string defaultText(const std::vector<double>& value)
{
    return listText(value);
}

std::string defaultText(const std::vector<bool>& value)
{
    std::vector<std::string> parts;
    for (const bool item : value)
        parts.push_back(defaultText(item));
    return bracketed(parts);
}

std::string defaultText(const Shape& value)
{
    return listText(value);
}

std::string defaultText(const recipe::NodePtr&)
{
    return "";
}

} // namespace earwright::catalog
