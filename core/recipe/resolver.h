#pragma once

#include "core/recipe/apply_override.h"
#include "core/recipe/extent.h"
#include "core/recipe/reference.h"
#include "core/recipe/resolve.h"
#include "core/recipe/source.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace earwright::recipe {

/// What a recipe and the files it includes share while they are resolved.
struct Session {
    const ResolveOptions& options;
    std::vector<Diagnostic> diagnostics;
    WaitingOverrides waitingOverrides;
    std::vector<std::string> openFiles; ///< the recipe, what it includes, what that includes …
    std::vector<Span> includePlaces; ///< of each open file but the first
    std::unordered_set<std::string> refusedTags {}; ///< by their places and paths
    size_t includedFiles = 0;
    size_t includedBytes = 0;
    size_t copiedNodes = 0;
    size_t madeBytes = 0; ///< of texts and copies that references made
    size_t comparedNames = 0; ///< for suggestions
    size_t openNodes = 0; ///< being resolved, in all open files: each takes a part of the stack
    ExtentMeter meter {};
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
    /// Where a node was found first.
    struct Place {
        const Node* parent = nullptr;
        const Node* key = nullptr; ///< null for an item
        size_t index = 0; ///< of an item
        size_t order = 0; ///< in the order of the text
    };

    /// Where each of a mapping's keys stands: there may be as many references as keys.
    struct Keys {
        size_t count = 0; ///< of the entries that were looked at
        std::unordered_map<std::string_view, size_t> places {};
    };

    const Entry* stringEntry(const NodePtr& mapping, const std::string& key);
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

    // resolver_errors.cpp
    void collectPlaces(const NodePtr& node, const Place& place);
    std::string pathOf(const Node* node) const;
    bool isAhead(const Node& node, const Node& at) const;
    void reportPlaceholder(const Node& node);
    void refuseTag(Node& node);
    std::optional<Span> tagInSource(const Node& node) const;
    void reportObject(const std::string& bracketed, const Node& object, const Node& at);
    void reportUnknown(
        const std::string& bracketed, const std::string& key, const Node& mapping, const Node& at);
    NodePtr failCycle(const std::string& bracketed, const Node* found, const Node& at);
    NodePtr fail(const Node& at, std::string rule, std::string message);
    void report(Diagnostic diagnostic);

    Session& m_session;
    NodePtr m_root;
    SourceText m_source;
    std::string m_keyPath;
    std::unordered_map<NodePtr, Keys> m_keys;
    std::unordered_map<const Node*, Place> m_places;
    std::unordered_map<NodePtr, NodePtr> m_done; ///< by the node as parsed
    std::vector<const Node*> m_open; ///< being resolved, outermost first
    std::unordered_set<const Node*> m_isOpen; ///< the same: to meet one of them again is a cycle
    bool m_putsTextsIn = true; ///< what stands further down comes in as its text, as upstream
};

/// Stands for a value nobody knows yet, so that no later check complains of it again.
NodePtr unknownValue(const Node& at);
bool isUnknown(const Node& node);
/// The node, said to stand and come from where `at` does.
NodePtr placedAt(NodePtr node, const Node& at);
bool isUntaggedString(const Node& node);

} // namespace earwright::recipe
