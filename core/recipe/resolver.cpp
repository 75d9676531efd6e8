#include "core/recipe/resolver.h"

#include "core/base/text.h"
#include "core/recipe/python_text.h"
#include "core/recipe/tree.h"

namespace kymo::recipe {
namespace {

/// References that lead to references: far more than any recipe has, far less than the stack holds.
constexpr size_t kMaxChain = 300;
constexpr size_t kMaxExpansions = 50;
constexpr size_t kMaxTextBytes = size_t { 1 } << 20;

/// Stands for a value nobody knows yet, so that no later check complains of it again.
NodePtr unknownValue(const Node& at)
{
    auto node = std::make_shared<Node>();
    node->tag = "!PLACEHOLDER";
    node->span = at.span;
    node->origin = at.origin;
    node->originText = at.originText;
    return node;
}

bool isUnknown(const Node& node)
{
    return node.tag == "!PLACEHOLDER";
}

NodePtr placedAt(NodePtr node, const Node& at)
{
    node->span = at.span;
    node->origin = at.origin;
    node->originText = at.originText;
    return node;
}

bool isUntaggedString(const Node& node)
{
    return node.kind == Kind::Scalar && node.tag.empty() && scalarType(node) == ScalarType::String;
}

Entry* stringEntry(Node& mapping, std::string_view key)
{
    for (Entry& entry : mapping.entries) {
        // As in Python, <1> does not find the key 1, which is a number.
        if (entry.key->text == key && scalarType(*entry.key) == ScalarType::String)
            return &entry;
    }
    return nullptr;
}

NodePtr attributeOf(const NodePtr& object, const std::string& attribute, const Node& at)
{
    auto call = std::make_shared<Node>();
    call->kind = Kind::Sequence;
    call->tag = "!apply:getattr";
    call->items = { object, placedAt(stringNode(attribute), at) };
    return placedAt(call, at);
}

} // namespace

Resolver::Resolver(Session& session, NodePtr root, std::string_view source, std::string keyPath)
    : m_session(session)
    , m_root(std::move(root))
    , m_source(source)
    , m_keyPath(std::move(keyPath))
{
}

NodePtr Resolver::run()
{
    std::set<const Node*> seen;
    collectPaths(m_root, m_keyPath, seen);
    return resolve(m_root);
}

void Resolver::collectPaths(
    const NodePtr& node, const std::string& path, std::set<const Node*>& seen)
{
    if (!seen.insert(node.get()).second)
        return;
    if (isUnknown(*node))
        reportPlaceholder(*node, path);
    if (isIncludeTag(node->tag))
        m_includePaths[node.get()] = path;
    for (size_t i = 0; i < node->items.size(); ++i)
        collectPaths(node->items[i], path + "[" + std::to_string(i) + "]", seen);
    for (const Entry& entry : node->entries)
        collectPaths(entry.value, path + (path.empty() ? "" : ".") + entry.key->text, seen);
}

void Resolver::reportPlaceholder(const Node& node, const std::string& path)
{
    // An item of a list has no key of its own: the list is set as a whole.
    const std::string key = path.substr(0, path.find('['));
    const std::string value = key == path ? "=value" : "=[…]";
    fail(node, "placeholder", "'" + path + "' has no value yet; --" + key + value + " sets it");
}

NodePtr Resolver::fail(const Node& at, std::string rule, std::string message)
{
    m_session.diagnostics.push_back(
        { Severity::Error, std::move(rule), std::move(message), at.span, std::nullopt });
    return unknownValue(at);
}

NodePtr Resolver::resolve(const NodePtr& node)
{
    if (const auto done = m_done.find(node); done != m_done.end())
        return done->second;
    if (m_open.size() >= kMaxChain)
        return fail(*node, "too-deep",
            "more than " + std::to_string(kMaxChain) + " references lead from one to the next");
    m_open.insert(node.get());
    const NodePtr resolved = limited(resolveFresh(node));
    m_open.erase(node.get());
    m_done[node] = resolved;
    m_done[resolved] = resolved;
    return resolved;
}

NodePtr Resolver::resolveFresh(const NodePtr& node)
{
    if (isReferenceTag(node->tag))
        return resolveReference(*node);
    resolveChildren(*node);
    return isIncludeTag(node->tag) ? include(*node) : node;
}

void Resolver::resolveChildren(Node& node)
{
    for (NodePtr& item : node.items)
        item = resolve(item);
    for (Entry& entry : node.entries)
        entry.value = resolve(entry.value);
}

/// References can build what no file could hold.
NodePtr Resolver::limited(const NodePtr& node)
{
    const Extent extent = m_session.meter.of(node);
    if (extent.depth > kMaxDepth)
        return fail(*node, "too-deep",
            "references put more than " + std::to_string(kMaxDepth) + " levels inside each other");
    if (extent.nodes > kMaxNodes)
        return fail(*node, "too-large",
            "more than " + std::to_string(kMaxNodes)
                + " values, counting every use of a reference");
    return node;
}

NodePtr Resolver::resolveReference(const Node& node)
{
    if (node.kind != Kind::Scalar)
        return fail(node, "unknown-reference",
            node.tag + " takes one text such as '" + node.tag + " <key>'");
    return expand(node.text, node, 0);
}

/// A string a reference leads to is searched for references again, as upstream does.
NodePtr Resolver::expand(const std::string& text, const Node& at, size_t level)
{
    if (!hasReference(text))
        return placedAt(stringNode(text), at);
    if (level > kMaxExpansions)
        return fail(at, "reference-cycle", "'" + at.text + "' leads back to itself");
    if (text.size() > kMaxTextBytes)
        return fail(at, "too-large", "the references make a text of more than 1 MiB");
    const std::vector<Piece> pieces = splitReferences(text);
    if (pieces.size() > 1)
        return interpolate(pieces, at, level);
    const NodePtr found = target(text, at);
    const bool leadsOn = isUntaggedString(*found) && hasReference(found->text);
    return leadsOn ? expand(found->text, at, level + 1) : found;
}

NodePtr Resolver::interpolate(const std::vector<Piece>& pieces, const Node& at, size_t level)
{
    std::string text;
    for (const Piece& piece : pieces) {
        if (!piece.isReference) {
            text += piece.text;
            continue;
        }
        const NodePtr found = target(piece.text, at);
        if (isUnknown(*found))
            return unknownValue(at);
        text += pythonText(*found);
        if (text.size() > kMaxTextBytes)
            return fail(at, "too-large", "the references make a text of more than 1 MiB");
    }
    return calculate(expand(text, at, level + 1), at);
}

NodePtr Resolver::calculate(const NodePtr& value, const Node& at)
{
    if (!isUntaggedString(*value))
        return value;
    const auto result = evaluateArithmetic(value->text);
    if (!result)
        return value;
    if (!*result)
        return fail(at, "arithmetic", "'" + value->text + "': " + result->error().message);
    return placedAt(nodeOf(**result), at);
}

/// The value "<a[b].c>" leads to, resolved.
NodePtr Resolver::target(const std::string& bracketed, const Node& at)
{
    const Reference reference = readReference(bracketed);
    const NodePtr found = follow(reference.keys, bracketed, at);
    if (!found)
        return unknownValue(at);
    if (m_open.contains(found.get()))
        return fail(at, "reference-cycle", "'" + bracketed + "' leads back to itself");
    NodePtr value = resolve(found);
    // As upstream: a copy is of the object, whatever attribute is named.
    if (at.tag == "!copy")
        return isUnknown(*value) ? value : copyOf(value, at);
    return reference.attribute.empty() || isUnknown(*value)
        ? value
        : attributeOf(value, reference.attribute, at);
}

NodePtr Resolver::copyOf(const NodePtr& found, const Node& at)
{
    m_session.copiedNodes += m_session.meter.of(found).nodes;
    if (m_session.copiedNodes > kMaxNodes)
        return fail(
            at, "too-large", "copies of more than " + std::to_string(kMaxNodes) + " values");
    return deepCopy(*found);
}

/// The node behind the keys, itself not yet resolved; null where that is already reported.
NodePtr Resolver::follow(
    const std::vector<std::string>& keys, const std::string& bracketed, const Node& at)
{
    NodePtr node = m_root;
    for (size_t i = 0; i < keys.size(); ++i) {
        // A reference or an include on the way is replaced first: its own keys are not those meant.
        if (isReferenceTag(node->tag) || isIncludeTag(node->tag)) {
            if (m_open.contains(node.get())) {
                fail(at, "reference-cycle", "'" + bracketed + "' leads back to itself");
                return nullptr;
            }
            node = resolve(node);
        }
        if (isUnknown(*node))
            return nullptr;
        const Entry* const entry = stringEntry(*node, keys[i]);
        if (!entry) {
            reportUnknown(bracketed, keys[i], *node, at);
            return nullptr;
        }
        node = entry->value;
    }
    return node;
}

void Resolver::reportUnknown(
    const std::string& bracketed, const std::string& key, const Node& mapping, const Node& at)
{
    std::vector<std::string> names;
    for (const Entry& entry : mapping.entries)
        names.push_back(entry.key->text);
    const std::string near = nearestName(key, names);
    std::string message = "no value for '" + bracketed + "'";
    if (mapping.kind != Kind::Mapping)
        message += ": '" + key + "' would be inside of what has no keys";
    else if (near.empty())
        message += ": there is no key '" + key + "'";
    else
        message += "; did you mean '" + near + "'?";
    fail(at, "unknown-reference", std::move(message));
    const auto edits = renameInSource(at, m_source, key, near);
    if (near.empty() || edits.empty() || at.origin > Origin::Include)
        return;
    Diagnostic& diagnostic = m_session.diagnostics.back();
    diagnostic.span = edits.front().span;
    diagnostic.fix = Fix { "Replace '" + key + "' by '" + near + "'", edits };
}

} // namespace kymo::recipe
