#include "core/recipe/resolve.h"

#include "core/base/file.h"
#include "core/recipe/apply_override.h"
#include "core/recipe/limits.h"
#include "core/recipe/resolver.h"
#include "core/recipe/tuple.h"

#include <filesystem>
#include <set>

namespace earwright::recipe {
namespace {

/// After all references: "(a, b)" is a text to them. Nodes are changed in place, so that what is
/// shared stays shared.
class Finisher final {
public:
    Finisher(const ResolveOptions& options, std::vector<Diagnostic>& diagnostics)
        : m_keepPlaceholders(options.keepPlaceholders)
        , m_diagnostics(diagnostics)
    {
    }

    void finish(const NodePtr& node)
    {
        if (!m_seen.insert(node.get()).second)
            return;
        if (node->tag == "!PLACEHOLDER" && !m_keepPlaceholders)
            node->tag.clear();
        expand(*node);
        for (const NodePtr& item : node->items)
            finish(item);
        for (const Entry& entry : node->entries)
            finish(entry.value);
    }

private:
    void expand(Node& node)
    {
        if (m_tupleItems > kMaxNodes)
            return;
        expandTuple(node);
        m_tupleItems += node.tag == "!tuple" ? node.items.size() : 0;
        if (m_tupleItems > kMaxNodes)
            m_diagnostics.push_back({ Severity::Error, "too-large",
                "tuples hold more than " + std::to_string(kMaxNodes) + " values", node.span,
                std::nullopt });
    }

    bool m_keepPlaceholders;
    std::vector<Diagnostic>& m_diagnostics;
    std::set<const Node*> m_seen;
    size_t m_tupleItems = 0;
};

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
        options.readInclude = readInclude;
    return options;
}

} // namespace

/// A device never ends, a folder never begins.
Result<std::string> readInclude(const std::string& path)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return Error { "cannot read '" + path + "': it is not a file" };
    if (std::filesystem::exists(status) && std::filesystem::file_size(path, error) > kMaxBytes)
        return Error { "cannot read '" + path + "': it is too large for a recipe" };
    return readFile(path);
}

Resolved resolve(std::string_view text, const std::string& fileName,
    const std::vector<Override>& overrides, const ResolveOptions& options)
{
    Parsed parsed = parse(text, fileName);
    if (!parsed.root)
        return { nullptr, nullptr, std::move(parsed.diagnostics) };
    const NodePtr written = options.keepWritten ? deepCopy(*parsed.root) : nullptr;
    if (!makeMapping(*parsed.root)) {
        parsed.diagnostics.push_back({ Severity::Error, "syntax",
            "a recipe is a mapping of keys to values", parsed.root->span, std::nullopt });
        return { nullptr, written, std::move(parsed.diagnostics) };
    }
    const ResolveOptions complete = completed(options);
    Session session { complete, std::move(parsed.diagnostics), { fileName }, {} };
    applyOverrides(*parsed.root, overrides, complete, session.diagnostics);
    const NodePtr root = Resolver(session, parsed.root, text, "").run();
    Finisher(options, session.diagnostics).finish(root);
    return { root->kind == Kind::Mapping ? root : nullptr, written,
        std::move(session.diagnostics) };
}

} // namespace earwright::recipe
