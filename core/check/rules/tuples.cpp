#include "core/check/rules/rules.h"
#include "core/settings/tree.h"

namespace earwright::check::rules {

using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

bool isTextOfTuple(const Node& node)
{
    return node.kind == recipe::Kind::Sequence && node.tag == "!tuple" && !node.text.empty();
}

/// The first "!ref <n>" of a tuple's text, "" where it has no tag.
std::string tagIn(const NodePtr& tuple)
{
    std::string first;
    settings::walk(tuple, [&](const NodePtr& node) {
        const std::string& tag = node->tag;
        if (first.empty() && tag.starts_with('!') && !tag.starts_with("!!") && tag != "!tuple")
            first = node->text.empty() ? tag : tag + " " + node->text;
        return first.empty();
    });
    return first;
}

recipe::Fix asList(const Node& tuple)
{
    std::string list = tuple.text;
    list.front() = '[';
    list.back() = ']';
    return { "Change to " + list, { { tuple.span, list } } };
}

} // namespace

void tuples(const Context& context, Diagnostics& found)
{
    for (const recipe::Entry& entry : context.root.entries) {
        settings::walk(entry.value, [&](const NodePtr& node) {
            if (!isTextOfTuple(*node))
                return true;
            const std::string tag = tagIn(node);
            if (tag.empty())
                return false;
            auto& diagnostic = report(found, Severity::Error, "tuple-tag",
                "'" + tag
                    + "' in the text of a tuple is not followed, here as in HyperPyYAML; "
                      "write a list",
                node->span);
            const bool isOwn = node->origin == recipe::Origin::Recipe
                && node->span.file == context.request.fileName;
            if (isOwn && node->style == recipe::ScalarStyle::Plain)
                diagnostic.fix = asList(*node);
            return false;
        });
    }
}

} // namespace earwright::check::rules
