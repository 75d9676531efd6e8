#include "core/language/follow.h"

#include "core/recipe/reference.h"

namespace earwright::language {

using recipe::Entry;
using recipe::Kind;
using recipe::Node;

namespace {

constexpr size_t kMaxChain = 100;

} // namespace

Follower::Follower(const Document& document)
    : m_root { document.tree.get(), document.findings.recipe.get(), "" }
{
}

const Entry* Follower::entryOf(const Node* mapping, std::string_view key)
{
    if (!mapping || mapping->entries.empty())
        return nullptr;
    const auto [index, isNew] = m_indices.try_emplace(mapping);
    if (isNew) {
        // As in Python, <1> does not find the key 1, which is a number.
        for (const Entry& entry : mapping->entries)
            if (recipe::scalarType(*entry.key) == recipe::ScalarType::String)
                index->second.try_emplace(entry.key->text, &entry);
    }
    const auto found = index->second.find(key);
    return found == index->second.end() ? nullptr : found->second;
}

/// A reference on the way is replaced by what it leads to, an include by the file.
bool Follower::settle(Cursor& cursor)
{
    if (!cursor.written)
        return true;
    if (recipe::isIncludeTag(cursor.written->tag)) {
        cursor.written = nullptr;
        return true;
    }
    if (!recipe::isReference(*cursor.written))
        return true;
    const auto pieces = recipe::splitReferences(cursor.written->text);
    if (pieces.size() != 1 || !pieces[0].isReference || m_depth >= kMaxChain)
        return false;
    ++m_depth;
    const Entry* last = nullptr;
    const auto target = walk(recipe::readReference(pieces[0].text).keys, last);
    const bool isThere = target.has_value() && (cursor = *target, settle(cursor));
    --m_depth;
    return isThere;
}

std::optional<Follower::Cursor> Follower::walk(
    const std::vector<std::string>& keys, const Entry*& last)
{
    Cursor cursor = m_root;
    for (const std::string& key : keys) {
        if (!settle(cursor))
            return std::nullopt;
        const Entry* const written = entryOf(cursor.written, key);
        const Entry* const resolved = entryOf(cursor.resolved, key);
        last = written ? written : resolved;
        if (!last)
            return std::nullopt;
        cursor = { written ? written->value.get() : nullptr,
            resolved ? resolved->value.get() : nullptr,
            cursor.path + (cursor.path.empty() ? "" : ".") + key };
    }
    return cursor;
}

std::optional<Target> Follower::follow(const std::vector<std::string>& keys)
{
    const Entry* entry = nullptr;
    const auto cursor = walk(keys, entry);
    if (!cursor || !entry)
        return std::nullopt;
    return Target { entry, cursor->resolved, cursor->path };
}

const Node* Follower::mappingAt(const std::vector<std::string>& keys)
{
    const Entry* entry = nullptr;
    auto cursor = walk(keys, entry);
    if (!cursor || !settle(*cursor))
        return nullptr;
    const Node* const node = cursor->written ? cursor->written : cursor->resolved;
    return node && node->kind == Kind::Mapping ? node : nullptr;
}

} // namespace earwright::language
