#include "core/check/chain.h"

#include "core/base/text.h"
#include "core/recipe/parse.h"
#include "core/recipe/reference.h"
#include "core/recipe/resolve.h"

#include <algorithm>
#include <filesystem>

namespace earwright::check {

using recipe::Node;
using recipe::NodePtr;

namespace {

/// Beyond it somebody refers in a circle, or there is nothing more to learn.
constexpr size_t kMaxLinks = 32;

std::string placeInFile(const Node& node)
{
    return std::filesystem::path(node.span.file).filename().string() + ":"
        + std::to_string(node.span.begin.line);
}

NodePtr step(const Node& node, const std::string& key)
{
    if (node.kind == recipe::Kind::Mapping)
        return recipe::find(node, key);
    const bool isNumber = !key.empty() && key.size() < 8
        && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
    const size_t index = isNumber ? std::stoul(key) : node.items.size();
    return index < node.items.size() ? node.items[index] : nullptr;
}

std::vector<std::string> tail(const std::vector<std::string>& path, size_t from)
{
    return { path.begin() + static_cast<std::ptrdiff_t>(from), path.end() };
}

NodePtr nodeAt(NodePtr node, const std::vector<std::string>& path, size_t from = 0)
{
    for (size_t i = from; node && i < path.size(); ++i)
        node = step(*node, path[i]);
    return node;
}

} // namespace

WrittenRecipe::WrittenRecipe(const Request& request, NodePtr root)
    : m_request(request)
    , m_recipe { .root = std::move(root) }
{
}

/// The last override of the path itself or of what holds it wins over the body of an !include, and
/// that over the file.
Written WrittenRecipe::find(const WrittenFile& file, const Path& path) const
{
    Path full = file.at;
    full.insert(full.end(), path.begin(), path.end());
    for (auto o = m_request.overrides.rbegin(); o != m_request.overrides.rend(); ++o) {
        if (o->path.size() > full.size()
            || !std::equal(o->path.begin(), o->path.end(), full.begin()))
            continue;
        if (NodePtr node = nodeAt(o->value, full, o->path.size()))
            return { node, o->text, &m_recipe };
    }
    if (const NodePtr node = nodeAt(file.body, path))
        return { node, placeInFile(*node), file.includedBy };
    const NodePtr node = nodeAt(file.root, path);
    return { node, node ? placeInFile(*node) : "", &file };
}

std::vector<std::string> WrittenRecipe::chainOf(const std::string& path) const
{
    Chain chain;
    if (m_recipe.root && !path.empty())
        follow(m_recipe, split(path, '.'), chain);
    return chain;
}

void WrittenRecipe::follow(const WrittenFile& file, const Path& path, Chain& chain) const
{
    for (size_t size = 1; size <= path.size() && chain.size() < kMaxLinks; ++size) {
        const Path part(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(size));
        const Written written = find(file, part);
        if (!written.node)
            return;
        const bool isReference = recipe::isReferenceTag(written.node->tag);
        const bool isInclude = recipe::isIncludeTag(written.node->tag);
        if (size < path.size() && !isReference && !isInclude)
            continue;
        Path full = file.at;
        full.insert(full.end(), part.begin(), part.end());
        const std::string name = join(full, ".");
        chain.push_back(written.place + ": " + name + ": " + shortText(*written.node));
        if (isReference)
            followReferences(written, name, tail(path, size), chain);
        else if (isInclude)
            follow(included(written, full), tail(path, size), chain);
        return;
    }
}

void WrittenRecipe::followReferences(
    const Written& written, const std::string& path, const Path& rest, Chain& chain) const
{
    for (const recipe::Piece& piece : recipe::splitReferences(written.node->text)) {
        if (!piece.isReference)
            continue;
        Path target = recipe::readReference(piece.text).keys;
        target.insert(target.end(), rest.begin(), rest.end());
        Path full = written.file->at;
        full.insert(full.end(), target.begin(), target.end());
        if (join(full, ".") != path && chain.size() < kMaxLinks)
            follow(*written.file, target, chain);
    }
}

/// A file that cannot be read is one without keys: the check says what is wrong with it.
const WrittenFile& WrittenRecipe::included(const Written& written, const Path& at) const
{
    const auto [known, isNew] = m_included.try_emplace(at);
    if (isNew) {
        const std::string& includer = written.node->span.file;
        const std::string path
            = recipe::includedPath(*written.node, includer.empty() ? m_request.fileName : includer);
        const Result<std::string> text = recipe::readInclude(path);
        known->second
            = { text ? recipe::parse(*text, path).root : nullptr, at, written.node, written.file };
    }
    return known->second;
}

std::string shortText(const Node& node)
{
    std::string text = node.tag.empty() ? "" : node.tag + " ";
    std::vector<std::string> items;
    if (node.kind == recipe::Kind::Sequence) {
        for (const NodePtr& item : node.items)
            items.push_back(shortText(*item));
        const std::string list = join(items, ", ");
        const bool isTuple = node.tag == "!tuple";
        return isTuple ? "(" + list + ")" : text + "[" + list + "]";
    }
    if (node.kind == recipe::Kind::Mapping)
        return text.empty() ? "{…}" : text.substr(0, text.size() - 1);
    text += node.text.substr(0, node.text.find('\n'));
    if (node.tag.empty() && node.text.empty())
        return node.style == recipe::ScalarStyle::Quoted ? "''" : "null";
    return std::string(trim(text));
}

} // namespace earwright::check
