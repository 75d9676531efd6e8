#include "core/catalog/argument_value.h"

#include "core/base/text.h"

namespace earwright::catalog {

using recipe::Kind;
using recipe::Node;
using recipe::NodePtr;

namespace {

bool isTupleText(const Node& node)
{
    return node.kind == Kind::Scalar && node.style == recipe::ScalarStyle::Plain
        && node.text.size() >= 2 && node.text.front() == '(' && node.text.back() == ')';
}

/// One item of a tuple as a YAML scalar: Python's None and quotes are not YAML's.
NodePtr tupleItem(const Node& tuple, std::string_view text)
{
    std::string word(trim(text));
    const bool isQuoted = word.size() >= 2 && (word.front() == '\'' || word.front() == '"');
    if (isQuoted)
        word = word.substr(1, word.size() - 2);
    else if (word == "None")
        word = "null";
    NodePtr item = recipe::makeScalar(word, tuple.origin);
    if (isQuoted)
        item->style = recipe::ScalarStyle::Quoted;
    item->span = tuple.span;
    return item;
}

} // namespace

std::string_view classOf(const Node& node)
{
    if (const auto name = recipe::newClass(node); !name.empty())
        return name;
    if (const auto name = recipe::nameClass(node); !name.empty())
        return name;
    return recipe::applyClass(node);
}

std::string lastPart(std::string_view className)
{
    return std::string(className.substr(className.rfind('.') + 1));
}

bool isUndetermined(const Node& node)
{
    return node.tag == "!PLACEHOLDER" || node.tag == "!ref" || node.tag == "!copy";
}

bool isValue(const Node& node)
{
    return node.kind == Kind::Scalar && classOf(node).empty();
}

std::vector<NodePtr> listItems(const Node& node)
{
    if (node.kind == Kind::Sequence)
        return node.items;
    if (!isTupleText(node))
        return { std::make_shared<Node>(node) };
    std::vector<NodePtr> items;
    for (const std::string& word :
        split(std::string_view(node.text).substr(1, node.text.size() - 2), ','))
        if (!trim(word).empty())
            items.push_back(tupleItem(node, word));
    return items;
}

std::string describe(const Node& node)
{
    if (const auto name = classOf(node); !name.empty())
        return "an object of " + std::string(name);
    if (node.kind == Kind::Mapping)
        return "a mapping";
    if (node.kind == Kind::Sequence)
        return "a list";
    if (recipe::isNull(node))
        return "null";
    if (!node.tag.empty())
        return std::string(trim(node.tag + " " + node.text));
    return node.style == recipe::ScalarStyle::Plain ? node.text : "the string '" + node.text + "'";
}

std::optional<recipe::Fix> replaceWith(const Node& node, std::string text)
{
    if (node.origin != recipe::Origin::Recipe || node.span.begin.line == 0)
        return {};
    return recipe::Fix { "Change to " + text, { { node.span, std::move(text) } } };
}

} // namespace earwright::catalog
