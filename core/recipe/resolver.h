#pragma once

#include "core/recipe/node_places.h"
#include "core/recipe/reference.h"
#include "core/recipe/resolve_reporter.h"
#include "core/recipe/resolve_session.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace earwright::recipe {

/// Resolves the tree of one file in place, references on demand: a reference may point forward, at
/// another reference or into an included file.
class Resolver final {
public:
    /// `keyPath`: where the file's tree hangs in the recipe's, for messages.
    Resolver(Session& session, NodePtr root, std::string_view source, std::string keyPath);
    Resolver(const Resolver&) = delete;

    /// The resolved root. What could not be resolved is an untagged null or a !PLACEHOLDER
    /// (unknownValue()).
    NodePtr run();

private:
    /// Where each of a mapping's keys stands: there may be as many references as keys.
    struct Keys {
        size_t count = 0; ///< of the entries that were looked at
        std::unordered_map<std::string_view, size_t> places {};
    };

    const Entry* stringEntry(const NodePtr& mapping, const std::string& key);
    void collectPlaces(const NodePtr& node, const NodePlaces::Place& place);
    NodePtr resolve(const NodePtr& node);
    NodePtr resolveFresh(const NodePtr& node);
    void resolveChildren(Node& node);
    NodePtr limited(const NodePtr& node);

    // resolver_text.cpp
    NodePtr resolveReference(const Node& node);
    NodePtr expand(const std::string& text, const Node& at, std::vector<std::string>& trail);
    NodePtr interpolate(
        const std::vector<Piece>& pieces, const Node& at, std::vector<std::string>& trail);
    NodePtr calculate(const NodePtr& value, const Node& at);
    bool appendPiece(const std::string& bracketed, const Node& at, std::string& text);
    const Node* textAhead(const std::string& bracketed, const Node& at);
    void warnOfTextAhead(const Node& at, const Node& value);

    NodePtr target(const std::string& bracketed, const Node& at);
    NodePtr follow(
        const std::vector<std::string>& keys, const std::string& bracketed, const Node& at);
    NodePtr copyOf(const NodePtr& found, const Node& at);

    NodePtr include(const NodePtr& node);
    NodePtr includeText(const NodePtr& node, const std::string& path, const std::string& text);
    void override(const NodePtr& include, Node& root);

    Session& m_session;
    NodePtr m_root;
    NodePlaces m_places;
    ResolveReporter m_reporter;
    std::unordered_map<NodePtr, Keys> m_keys;
    std::unordered_map<NodePtr, NodePtr> m_done; ///< by the node as parsed
    std::vector<const Node*> m_open; ///< being resolved, outermost first
    std::unordered_set<const Node*> m_isOpen; ///< the same: to meet one of them again is a cycle
    bool m_putsTextsIn = true; ///< what stands further down comes in as its text, as upstream
};

} // namespace earwright::recipe
