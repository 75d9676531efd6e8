#pragma once

#include "core/recipe/node_places.h"
#include "core/recipe/resolve_session.h"
#include "core/recipe/source.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace earwright::recipe {

/// Says what is wrong with the tree of one file, and where.
class ResolveReporter final {
public:
    /// `source`: the file's text, which must outlive this.
    ResolveReporter(
        Session& session, const NodePlaces& places, NodePtr root, std::string_view source);

    /// In an included file: with the places that include it, the innermost first.
    void report(Diagnostic diagnostic);
    /// Reports an error at the node, and gives unknownValue() for it.
    NodePtr fail(const Node& at, std::string rule, std::string message);
    void reportPlaceholder(const Node& node);
    /// Where the node has a tag that is none, its value is not known then.
    void refuseTag(Node& node);
    void reportObject(const std::string& bracketed, const Node& object, const Node& at);
    void reportUnknown(
        const std::string& bracketed, const std::string& key, const Node& mapping, const Node& at);
    /// Names the way round: "a -> b -> a", by the references on it. `open`: the nodes that are
    /// being resolved, outermost first.
    NodePtr failCycle(const std::string& bracketed, const Node* found, const Node& at,
        const std::vector<const Node*>& open);

private:
    std::optional<Span> tagInSource(const Node& node) const;

    Session& m_session;
    const NodePlaces& m_places;
    NodePtr m_root;
    SourceText m_source;
};

} // namespace earwright::recipe
