#pragma once

#include "core/recipe/extent.h"
#include "core/recipe/reference.h"
#include "core/recipe/resolve.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace kymo::recipe {

/// What a recipe and the files it includes share while they are resolved.
struct Session {
    const ResolveOptions& options;
    std::vector<Diagnostic> diagnostics;
    std::vector<std::string> openFiles; ///< the recipe, what it includes, what that includes …
    size_t includedFiles = 0;
    size_t copiedNodes = 0;
    ExtentMeter meter;
};

/// Resolves the tree of one file in place, references on demand: a reference may point forward, at
/// another reference or into an included file.
class Resolver final {
public:
    /// `keyPath`: where the file's tree hangs in the recipe's, for messages.
    Resolver(Session& session, NodePtr root, std::string_view source, std::string keyPath);

    /// The resolved root. What could not be resolved is an untagged null or a !PLACEHOLDER
    /// (unknownValue()).
    NodePtr run();

private:
    NodePtr resolve(const NodePtr& node);
    NodePtr resolveFresh(const NodePtr& node);
    void resolveChildren(Node& node);
    NodePtr limited(const NodePtr& node);

    NodePtr resolveReference(const Node& node);
    NodePtr expand(const std::string& text, const Node& at, size_t level);
    NodePtr interpolate(const std::vector<Piece>& pieces, const Node& at, size_t level);
    NodePtr calculate(const NodePtr& value, const Node& at);
    NodePtr target(const std::string& bracketed, const Node& at);
    NodePtr follow(
        const std::vector<std::string>& keys, const std::string& bracketed, const Node& at);
    NodePtr copyOf(const NodePtr& found, const Node& at);

    NodePtr include(const Node& node);
    NodePtr includeText(const Node& node, const std::string& path, const std::string& text);

    void collectPaths(const NodePtr& node, const std::string& path, std::set<const Node*>& seen);
    void reportPlaceholder(const Node& node, const std::string& path);
    void reportUnknown(
        const std::string& bracketed, const std::string& key, const Node& mapping, const Node& at);
    NodePtr fail(const Node& at, std::string rule, std::string message);

    Session& m_session;
    NodePtr m_root;
    std::string_view m_source;
    std::string m_keyPath;
    std::map<const Node*, std::string> m_includePaths;
    std::unordered_map<NodePtr, NodePtr> m_done; ///< by the node as parsed
    std::set<const Node*> m_open; ///< being resolved: to meet one of them again is a cycle
};

} // namespace kymo::recipe
