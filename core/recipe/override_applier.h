#pragma once

#include "core/recipe/apply_override.h"

namespace earwright::recipe {

/// Sets one override in the tree of one file.
class OverrideApplier final {
public:
    using Path = std::vector<std::string>;

    /// `includedAt`: where the file's tree hangs in the recipe's; empty for the recipe itself.
    OverrideApplier(const Override& override, const Path& includedAt, Node& root,
        const ResolveOptions& options, WaitingOverrides& waiting)
        : m_override(override)
        , m_includedAt(includedAt)
        , m_root(root)
        , m_options(options)
        , m_waiting(waiting)
    {
    }

    /// What is wrong with it. An empty path: `value` is a mapping of keys of the file.
    std::optional<Diagnostic> apply(const Path& path, const NodePtr& value);
    /// What has been put into the tree.
    const std::vector<NodePtr>& placed() const { return m_placed; }

private:
    /// False where it failed; the problem is kept.
    bool set(Node& node, const Path& names, const NodePtr& value);
    bool setInMapping(Node& mapping, const Path& names, const NodePtr& value);
    bool setInSequence(Node& sequence, const Path& names, const NodePtr& value);
    bool setSlot(NodePtr& slot, const Path& rest, const NodePtr& value);
    bool wait(const NodePtr& include, const Path& rest, const NodePtr& value);
    bool merge(Node& mapping, const NodePtr& value);
    bool add(Node& mapping, const Path& names, const NodePtr& value);
    bool isAccepted(const Node& mapping, const std::string& name);
    bool isAcceptedAtTop(const Node& root, const std::string& name);

    bool isInRecipe() const { return m_includedAt.empty(); }
    std::string fileText() const;
    std::string pathText() const;
    /// As the command line names it.
    Path fullPath(const Path& below) const;
    /// What a mapping lacks stands where that stands; at the top, in the file and nowhere in it.
    Span placeIn(const Node& mapping) const;
    /// "--CNN.dropout=0.3 or --enc.dropout=0.3"
    std::string hintAt(std::vector<Path> places, const Path& rest) const;
    std::vector<Path> takersOf(const Node& mapping, const std::string& name) const;
    bool fail(std::string message, const Span& place);
    bool failUnknown(const Node& mapping, const std::string& name, std::vector<std::string> names);
    bool failWithoutKeys(const Node& node, const Path& names);

    const Override& m_override;
    const Path& m_includedAt;
    Node& m_root;
    const ResolveOptions& m_options;
    WaitingOverrides& m_waiting;
    Path m_path; ///< to the node looked at
    Path m_rest; ///< of the override's path below the key looked for
    std::vector<NodePtr> m_placed;
    std::optional<Diagnostic> m_problem;
};

} // namespace earwright::recipe
