#include "core/recipe/resolver.h"

#include "core/recipe/limits.h"
#include "core/recipe/python_text.h"
#include "core/recipe/resolved_node.h"

namespace earwright::recipe {
namespace {

NodePtr attributeOf(const NodePtr& object, const std::string& attribute, const Node& at)
{
    auto call = std::make_shared<Node>();
    call->kind = Kind::Sequence;
    call->tag = "!apply:getattr";
    call->items = { object, placedAt(stringNode(attribute), at) };
    return placedAt(call, at);
}

/// `!apply:operator.not_ [x]` of a truth value; any other call stays an object.
NodePtr negated(const NodePtr& node)
{
    if (applyClass(*node) != "operator.not_" || node->items.size() != 1)
        return node;
    const std::optional<bool> value = asBool(*node->items.front());
    return value ? placedAt(makeScalar(*value ? "False" : "True"), *node) : node;
}

} // namespace

Resolver::Resolver(Session& session, NodePtr root, std::string_view source, std::string keyPath)
    : m_session(session)
    , m_root(std::move(root))
    , m_places(std::move(keyPath))
    , m_reporter(session, m_places, m_root, source)
{
}

NodePtr Resolver::run()
{
    collectPlaces(m_root, {});
    return resolve(m_root);
}

void Resolver::collectPlaces(const NodePtr& node, const NodePlaces::Place& place)
{
    if (!m_places.add(*node, place))
        return;
    if (isUnknown(*node))
        m_reporter.reportPlaceholder(*node);
    else
        m_reporter.refuseTag(*node);
    for (size_t i = 0; i < node->items.size(); ++i)
        collectPlaces(node->items[i], { node.get(), nullptr, i, m_places.size() });
    for (const Entry& entry : node->entries) {
        m_reporter.refuseTag(*entry.key);
        collectPlaces(entry.value, { node.get(), entry.key.get(), 0, m_places.size() });
    }
}

NodePtr Resolver::resolve(const NodePtr& node)
{
    if (const auto done = m_done.find(node); done != m_done.end())
        return done->second;
    if (m_session.openNodes >= kMaxChain)
        return m_reporter.fail(*node, "too-deep",
            "more than " + std::to_string(kMaxChain) + " references lead from one to the next");
    ++m_session.openNodes;
    m_open.push_back(node.get());
    m_isOpen.insert(node.get());
    const NodePtr resolved = limited(resolveFresh(node));
    m_isOpen.erase(node.get());
    m_open.pop_back();
    --m_session.openNodes;
    m_done[node] = resolved;
    m_done[resolved] = resolved;
    return resolved;
}

NodePtr Resolver::resolveFresh(const NodePtr& node)
{
    if (isReferenceTag(node->tag))
        return resolveReference(*node);
    resolveChildren(*node);
    return isIncludeTag(node->tag) ? include(node) : negated(node);
}

void Resolver::resolveChildren(Node& node)
{
    for (NodePtr& item : node.items)
        item = resolve(item);
    for (Entry& entry : node.entries)
        entry.value = resolve(entry.value);
}

/// As in Python, <1> does not find the key 1, which is a number. Null where no such key is.
const Entry* Resolver::stringEntry(const NodePtr& mapping, const std::string& key)
{
    Keys& keys = m_keys[mapping];
    if (keys.count != mapping->entries.size()) {
        keys = { mapping->entries.size(), {} };
        for (size_t i = 0; i < keys.count; ++i) {
            const Node& one = *mapping->entries[i].key;
            if (scalarType(one) == ScalarType::String)
                keys.places.try_emplace(one.text, i);
        }
    }
    const auto found = keys.places.find(key);
    return found == keys.places.end() ? nullptr : &mapping->entries[found->second];
}

/// References can build what no file could hold.
NodePtr Resolver::limited(const NodePtr& node)
{
    const Extent extent = m_session.meter.of(node);
    if (extent.depth > kMaxDepth)
        return m_reporter.fail(*node, "too-deep",
            "references put more than " + std::to_string(kMaxDepth) + " levels inside each other");
    if (extent.nodes > kMaxNodes)
        return m_reporter.fail(*node, "too-large",
            "more than " + std::to_string(kMaxNodes)
                + " values, counting every use of a reference");
    if (extent.bytes > kMaxBytes)
        return m_reporter.fail(*node, "too-large",
            "more than " + std::to_string(kMaxBytes >> 20)
                + " MiB of text, counting every use of a reference");
    return node;
}

/// The value "<a[b].c>" leads to, resolved.
NodePtr Resolver::target(const std::string& bracketed, const Node& at)
{
    const Reference reference = readReference(bracketed);
    const NodePtr found = follow(reference.keys, bracketed, at);
    if (!found)
        return unknownValue(at);
    if (m_isOpen.contains(found.get()))
        return m_reporter.failCycle(bracketed, found.get(), at, m_open);
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
    const Extent extent = m_session.meter.of(found);
    m_session.copiedNodes += extent.nodes;
    m_session.madeBytes += extent.bytes;
    if (m_session.copiedNodes > kMaxNodes || m_session.madeBytes > kMaxBytes)
        return m_reporter.fail(at, "too-large",
            "copies of more than " + std::to_string(kMaxNodes) + " values or "
                + std::to_string(kMaxBytes >> 20) + " MiB");
    return deepCopy(*found);
}

/// The node behind the keys, itself not yet resolved; null where that is already reported.
NodePtr Resolver::follow(
    const std::vector<std::string>& keys, const std::string& bracketed, const Node& at)
{
    NodePtr node = m_root;
    for (const std::string& key : keys) {
        // A reference or an include on the way is replaced first: its own keys are not those meant.
        if (isReferenceTag(node->tag) || isIncludeTag(node->tag)) {
            if (m_isOpen.contains(node.get())) {
                m_reporter.failCycle(bracketed, node.get(), at, m_open);
                return nullptr;
            }
            node = resolve(node);
        }
        if (isUnknown(*node))
            return nullptr;
        const Entry* const entry = stringEntry(node, key);
        if (!entry) {
            m_reporter.reportUnknown(bracketed, key, *node, at);
            return nullptr;
        }
        node = entry->value;
    }
    return node;
}

} // namespace earwright::recipe
