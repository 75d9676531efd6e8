#include "core/recipe/tuple.h"

#include "core/recipe/parse.h"

namespace earwright::recipe {
namespace {

void inherit(const NodePtr& item, const Node& tuple)
{
    item->span = tuple.span;
    item->origin = tuple.origin;
    item->originText = tuple.originText;
}

} // namespace

bool isTupleText(std::string_view text)
{
    return text.size() >= 2 && text.front() == '(' && text.back() == ')'
        && text.find('\n') == std::string_view::npos;
}

void expandTuple(Node& node)
{
    if (node.tag == "!!python/tuple")
        node.tag = "!tuple";
    // Quotes are lost between upstream's two passes, a block is not.
    const bool isImplicit = node.tag.empty() && node.style != ScalarStyle::Block;
    if (node.kind != Kind::Scalar || (!isImplicit && node.tag != "!tuple")
        || !isTupleText(node.text))
        return;
    // Upstream reads the inside as a list too: "(a) text (b)" is the tuple of "a) text (b".
    std::string text = node.text;
    text.front() = '[';
    text.back() = ']';
    const Parsed list = parse(text, node.span.file);
    if (!list.root || list.root->kind != Kind::Sequence || !list.diagnostics.empty())
        return;
    node.kind = Kind::Sequence;
    node.style = isImplicit ? ScalarStyle::Plain : ScalarStyle::Quoted;
    node.tag = "!tuple";
    node.items = list.root->items;
    for (const NodePtr& item : node.items)
        inherit(item, node);
}

} // namespace earwright::recipe
