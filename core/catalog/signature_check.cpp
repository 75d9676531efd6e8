#include "core/catalog/signature_check.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/read.h"

namespace kymo::catalog {

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

} // namespace

void checkAgainst(const std::vector<Field>& fields, bool acceptsAnyArgument, const Node& node,
    std::vector<recipe::Diagnostic>& diagnostics)
{
    Arguments arguments(node, diagnostics);
    for (const Field& field : fields) {
        const recipe::NodePtr value = arguments.given(field.name);
        if (value && field.isTypeSure && cannotBe(field.type, *value))
            reject(arguments, field);
        else
            arguments.skip(field.name.c_str(), field.facts);
    }
    arguments.finish(acceptsAnyArgument);
}

} // namespace kymo::catalog
