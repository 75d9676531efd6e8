#include "core/recipe/resolve.h"

#include "core/base/file.h"
#include "core/recipe/apply_override.h"
#include "core/recipe/limits.h"
#include "core/recipe/resolver.h"
#include "core/recipe/tuple.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace earwright::recipe {
namespace {

/// Around all of a text.
size_t parenthesesAround(std::string_view text)
{
    const size_t begin = std::min(text.find_first_not_of('('), text.size());
    const size_t end = text.size() - (text.find_last_not_of(')') + 1);
    return std::min(begin, end);
}

/// After all references: "(a, b)" is a text to them. Nodes are changed in place, so that what is
/// shared stays shared.
class Finisher final {
public:
    Finisher(const ResolveOptions& options, std::vector<Diagnostic>& diagnostics)
        : m_keepPlaceholders(options.keepPlaceholders)
        , m_diagnostics(diagnostics)
    {
    }

    /// `tuples`: how many the node is in.
    void finish(const NodePtr& node, size_t tuples = 0)
    {
        if (!m_seen.insert(node.get()).second)
            return;
        if (node->tag == "!PLACEHOLDER" && !m_keepPlaceholders)
            node->tag.clear();
        expand(*node, tuples);
        const size_t inside = tuples + (node->tag == "!tuple" ? 1 : 0);
        for (const NodePtr& item : node->items)
            finish(item, inside);
        for (const Entry& entry : node->entries)
            finish(entry.value, inside);
    }

private:
    /// A tuple's text is read again for the tuples in it.
    void expand(Node& node, size_t tuples)
    {
        if (m_isOver)
            return;
        const bool isText = isTupleText(node.text);
        m_tupleBytes += isText ? node.text.size() : 0;
        if (isText && tuples + parenthesesAround(node.text) > kMaxDepth)
            return giveUp(node, "too-deep",
                "more than " + std::to_string(kMaxDepth) + " parentheses inside each other");
        if (m_tupleBytes > kMaxTupleBytes)
            return giveUp(node, "too-large",
                "tuples hold more than " + std::to_string(kMaxTupleBytes >> 20)
                    + " MiB of text, each counted in those around it");
        expandTuple(node);
        m_tupleItems += node.tag == "!tuple" ? node.items.size() : 0;
        if (m_tupleItems > kMaxNodes)
            giveUp(node, "too-large",
                "tuples hold more than " + std::to_string(kMaxNodes) + " values");
    }

    void giveUp(const Node& node, const char* rule, std::string message)
    {
        m_isOver = true;
        m_diagnostics.push_back(
            { Severity::Error, rule, std::move(message), node.span, std::nullopt });
    }

    bool m_keepPlaceholders;
    std::vector<Diagnostic>& m_diagnostics;
    std::set<const Node*> m_seen;
    size_t m_tupleItems = 0;
    size_t m_tupleBytes = 0;
    bool m_isOver = false; ///< too much: the rest stays text
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
    Session session { complete, std::move(parsed.diagnostics), {}, { fileName }, {} };
    applyOverrides(
        *parsed.root, overrides, complete, session.waitingOverrides, session.diagnostics);
    const NodePtr root = Resolver(session, parsed.root, text, "").run();
    Finisher(options, session.diagnostics).finish(root);
    return { root->kind == Kind::Mapping ? root : nullptr, written,
        std::move(session.diagnostics) };
}

} // namespace earwright::recipe
