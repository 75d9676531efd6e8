#include "core/recipe/resolve.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace earwright::recipe {
namespace {

using Json = nlohmann::ordered_json;

Json scalarJson(const Node& node)
{
    switch (scalarType(node)) {
    case ScalarType::Null:
        return nullptr;
    case ScalarType::Bool:
        return asBool(node).value_or(false);
    case ScalarType::Int:
        if (const auto value = asInt(node))
            return *value;
        return node.text;
    case ScalarType::Float:
        if (const auto value = asDouble(node); value && std::isfinite(*value))
            return *value;
        return node.text;
    case ScalarType::String:
        break;
    }
    return node.text;
}

Json jsonOf(const Node& node);

Json contentJson(const Node& node)
{
    if (node.kind == Kind::Scalar)
        return node.tag.starts_with('!') && node.text.empty() ? Json(nullptr) : scalarJson(node);
    Json json = node.kind == Kind::Sequence ? Json::array() : Json::object();
    for (const NodePtr& item : node.items)
        json.push_back(jsonOf(*item));
    for (const Entry& entry : node.entries)
        json[entry.key->text] = jsonOf(*entry.value);
    return json;
}

Json jsonOf(const Node& node)
{
    if (node.tag.empty() || node.tag.starts_with("!!") || node.tag == "!tuple")
        return contentJson(node);
    return { { "tag", node.tag }, { "value", contentJson(node) } };
}

} // namespace

std::string emitJson(const Node& root)
{
    return jsonOf(root).dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace earwright::recipe
