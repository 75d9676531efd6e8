#include "core/recipe/resolve.h"

#include "core/base/file.h"
#include "core/recipe/apply_override.h"
#include "core/recipe/resolver.h"
#include "core/recipe/tuple.h"

namespace kymo::recipe {
namespace {

/// After all references: "(a, b)" is a text to them. Nodes are changed in place, so that what is
/// shared stays shared.
void finish(const NodePtr& node, bool keepPlaceholders, std::set<const Node*>& seen)
{
    if (!seen.insert(node.get()).second)
        return;
    if (node->tag == "!PLACEHOLDER" && !keepPlaceholders)
        node->tag.clear();
    expandTuple(*node);
    for (const NodePtr& item : node->items)
        finish(item, keepPlaceholders, seen);
    for (const Entry& entry : node->entries)
        finish(entry.value, keepPlaceholders, seen);
}

/// An empty file is a recipe without keys.
bool makeMapping(Node& root)
{
    if (isNull(root) && root.tag.empty())
        root.kind = Kind::Mapping;
    return root.kind == Kind::Mapping;
}

ResolveOptions completed(ResolveOptions options)
{
    if (!options.readInclude)
        options.readInclude = [](const std::string& path) { return readFile(path); };
    return options;
}

} // namespace

Resolved resolve(std::string_view text, const std::string& fileName,
    const std::vector<Override>& overrides, const ResolveOptions& options)
{
    Parsed parsed = parse(text, fileName);
    if (!parsed.root)
        return { nullptr, std::move(parsed.diagnostics) };
    if (!makeMapping(*parsed.root)) {
        parsed.diagnostics.push_back({ Severity::Error, "syntax",
            "a recipe is a mapping of keys to values", parsed.root->span, std::nullopt });
        return { nullptr, std::move(parsed.diagnostics) };
    }
    const ResolveOptions complete = completed(options);
    Session session { complete, std::move(parsed.diagnostics), { fileName }, 0, 0, {} };
    applyOverrides(*parsed.root, overrides, complete, session.diagnostics);
    const NodePtr root = Resolver(session, parsed.root, text, "").run();
    std::set<const Node*> seen;
    finish(root, options.keepPlaceholders, seen);
    return { root->kind == Kind::Mapping ? root : nullptr, std::move(session.diagnostics) };
}

} // namespace kymo::recipe
