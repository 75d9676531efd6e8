#include "core/recipe/value_at.h"

namespace earwright::recipe {

int64_t intAt(const Node& root, std::string_view dottedPath, int64_t fallback)
{
    const NodePtr node = findPath(root, dottedPath);
    return node ? asInt(*node).value_or(fallback) : fallback;
}

double doubleAt(const Node& root, std::string_view dottedPath, double fallback)
{
    const NodePtr node = findPath(root, dottedPath);
    return node ? asDouble(*node).value_or(fallback) : fallback;
}

bool boolAt(const Node& root, std::string_view dottedPath, bool fallback)
{
    const NodePtr node = findPath(root, dottedPath);
    return node ? asBool(*node).value_or(fallback) : fallback;
}

std::string textAt(const Node& root, std::string_view dottedPath)
{
    const NodePtr node = findPath(root, dottedPath);
    return node && !isNull(*node) ? asString(*node) : "";
}

} // namespace earwright::recipe
