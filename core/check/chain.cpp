#include "core/check/chain.h"

#include "core/base/text.h"
#include "core/recipe/parse.h"
#include "core/recipe/reference.h"

#include <algorithm>
#include <filesystem>

namespace kymo::check {

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

bool isReference(const Node& node)
{
    return recipe::isReferenceTag(node.tag);
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

} // namespace

WrittenRecipe::WrittenRecipe(const Request& request)
    : m_request(request)
    , m_root(recipe::parse(request.text, request.fileName).root)
{
}

/// The last override of the path itself or of what holds it wins over the text.
Written WrittenRecipe::find(const std::vector<std::string>& path) const
{
    for (auto o = m_request.overrides.rbegin(); o != m_request.overrides.rend(); ++o) {
        if (o->path.size() > path.size()
            || !std::equal(o->path.begin(), o->path.end(), path.begin()))
            continue;
        NodePtr node = o->value;
        for (size_t i = o->path.size(); node && i < path.size(); ++i)
            node = step(*node, path[i]);
        if (node)
            return { node, o->text };
    }
    NodePtr node = m_root;
    for (const std::string& key : path)
        node = node ? step(*node, key) : nullptr;
    return { node, node ? placeInFile(*node) : "" };
}

std::vector<std::string> WrittenRecipe::chainOf(const std::string& path) const
{
    std::vector<std::string> chain;
    if (m_root && !path.empty())
        follow(split(path, '.'), chain);
    return chain;
}

void WrittenRecipe::follow(
    const std::vector<std::string>& path, std::vector<std::string>& chain) const
{
    for (size_t size = 1; size <= path.size() && chain.size() < kMaxLinks; ++size) {
        const std::vector<std::string> part(
            path.begin(), path.begin() + static_cast<std::ptrdiff_t>(size));
        const Written written = find(part);
        if (!written.node)
            return;
        const bool isInclude = recipe::isIncludeTag(written.node->tag);
        if (size < path.size() && !isReference(*written.node) && !isInclude)
            continue;
        const std::string name = join(part, ".");
        chain.push_back(written.place + ": " + name + ": " + shortText(*written.node));
        if (isReference(*written.node))
            followReferences(written, name, tail(path, size), chain);
        return;
    }
}

void WrittenRecipe::followReferences(const Written& written, const std::string& path,
    const std::vector<std::string>& rest, std::vector<std::string>& chain) const
{
    for (const recipe::Piece& piece : recipe::splitReferences(written.node->text)) {
        if (!piece.isReference)
            continue;
        std::vector<std::string> target = recipe::readReference(piece.text).keys;
        target.insert(target.end(), rest.begin(), rest.end());
        if (join(target, ".") != path && chain.size() < kMaxLinks)
            follow(target, chain);
    }
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

} // namespace kymo::check
