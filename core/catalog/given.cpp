#include "core/catalog/given.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"

#include <algorithm>

namespace earwright::catalog {

using recipe::NodePtr;

int64_t sizeOf(const recipe::Node& value)
{
    constexpr int64_t kLargest = int64_t(1) << 24;
    const int64_t size = recipe::asInt(value).value_or(0);
    return size >= -kLargest && size <= kLargest ? size : 0;
}

Given::Given(const recipe::Node& layer)
    : m_layer(layer)
    , m_info(findClass(classOf(layer)))
{
}

NodePtr Given::value(std::string_view name) const
{
    if (NodePtr given = recipe::find(m_layer, name))
        return given;
    const auto isNamed = [&](const Field& field) { return field.name == name; };
    const auto field = m_info ? std::find_if(m_info->fields.begin(), m_info->fields.end(), isNamed)
                              : std::vector<Field>::const_iterator();
    if (!m_info || field == m_info->fields.end())
        return recipe::makeScalar("null");
    return recipe::makeScalar(field->defaultText.empty() ? "null" : field->defaultText);
}

int64_t Given::integer(std::string_view name) const
{
    return sizeOf(*value(name));
}

bool Given::flag(std::string_view name) const
{
    return recipe::asBool(*value(name)).value_or(false);
}

std::string Given::text(std::string_view name) const
{
    const NodePtr node = value(name);
    return recipe::isNull(*node) ? "" : recipe::asString(*node);
}

} // namespace earwright::catalog
