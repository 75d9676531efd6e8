#include "core/catalog/signature_check.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/read_impl.h"

#include <algorithm>

namespace earwright::catalog {

using recipe::Kind;
using recipe::Node;
using recipe::ScalarType;

namespace {

bool isWord(const Node& node)
{
    return node.kind == Kind::Scalar && recipe::scalarType(node) == ScalarType::String
        && listItems(node).size() == 1;
}

bool isCollection(const Node& node)
{
    return node.kind != Kind::Scalar;
}

bool cannotBe(FieldType type, const Node& node)
{
    // What an object or a tuple is worth is known when it is built.
    if (!node.tag.empty() || recipe::isNull(node))
        return false;
    if (type == FieldType::Int || type == FieldType::Float || type == FieldType::Bool)
        return isWord(node) || isCollection(node);
    return type == FieldType::String && isCollection(node);
}

/// A number that no formula allows; a whole number may be given where a float is documented.
bool isOutside(const Field& field, const Node& node)
{
    const bool isNumber = field.type == FieldType::Int || field.type == FieldType::Float;
    const auto number
        = isNumber && node.tag.empty() && isValue(node) ? recipe::asDouble(node) : std::nullopt;
    return number && (*number < field.facts.min || *number > field.facts.max);
}

/// A word that the argument does not take.
bool isOtherWord(const Field& field, const Node& node)
{
    const std::vector<std::string>& choices = field.facts.choices;
    return !choices.empty() && node.tag.empty() && isValue(node) && !recipe::isNull(node)
        && std::find(choices.begin(), choices.end(), node.text) == choices.end();
}

void reject(Arguments& arguments, const Field& field)
{
    const char* name = field.name.c_str();
    if (field.type == FieldType::Bool) {
        bool none = false;
        arguments.read(name, none, field.facts);
    } else if (field.type == FieldType::String) {
        std::string none;
        arguments.read(name, none, field.facts);
    } else if (field.type == FieldType::Int) {
        int64_t none = 0;
        arguments.read(name, none, field.facts);
    } else {
        double none = 0;
        arguments.read(name, none, field.facts);
    }
}

size_t commonPrefix(std::string_view a, std::string_view b)
{
    const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<size_t>(std::distance(a.begin(), ends.first));
}

/// A key that is never read is seldom a typing error: "length_normal" is meant to be
/// "length_normalized_loss". So a name that begins like it is near too.
std::string nearestRead(const std::string& key, const std::vector<std::string>& names)
{
    if (std::string near = nearestName(key, names); !near.empty())
        return near;
    const auto best = std::max_element(names.begin(), names.end(),
        [&](const auto& a, const auto& b) { return commonPrefix(key, a) < commonPrefix(key, b); });
    const bool isNear = best != names.end() && commonPrefix(key, *best) * 4 >= key.size() * 3;
    return isNear ? *best : "";
}

void reportUnread(const std::vector<Field>& fields, const Node& node,
    std::vector<recipe::Diagnostic>& diagnostics)
{
    std::vector<std::string> names;
    for (const Field& field : fields)
        names.push_back(field.name);
    for (const recipe::Entry& entry : node.entries) {
        const std::string key = recipe::asString(*entry.key);
        if (std::find(names.begin(), names.end(), key) != names.end())
            continue;
        const std::string nearest = nearestRead(key, names);
        diagnostics.push_back({ recipe::Severity::Warning, "unread-key",
            inQuotes(key) + " is declared but never read by " + lastPart(classOf(node))
                + (nearest.empty() ? "" : "; it reads " + inQuotes(nearest)),
            entry.key->span, nearest.empty() ? std::nullopt : replaceWith(*entry.key, nearest),
            {} });
    }
}

} // namespace

void checkAgainst(const std::vector<Field>& fields, Others others, const Node& node,
    std::vector<recipe::Diagnostic>& diagnostics)
{
    Arguments arguments(node, diagnostics);
    for (const Field& field : fields) {
        const recipe::NodePtr value = arguments.given(field.name);
        if (value
            && ((field.isTypeSure && cannotBe(field.type, *value)) || isOutside(field, *value)
                || isOtherWord(field, *value)))
            reject(arguments, field);
        else
            arguments.skip(field.name.c_str(), field.facts);
    }
    if (others == Others::Ignored)
        reportUnread(fields, node, diagnostics);
    arguments.finish(others != Others::Refused);
}

} // namespace earwright::catalog
