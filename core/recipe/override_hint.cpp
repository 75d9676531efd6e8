#include "core/recipe/override_hint.h"

#include "core/base/look_alike.h"
#include "core/base/text.h"
#include "core/recipe/parse.h"
#include "core/recipe/reference.h"

#include <set>

namespace earwright::recipe {
namespace {

constexpr size_t kShownNames = 8;
constexpr size_t kMaxSearchedFiles = 20;
constexpr size_t kMaxSteps = 50;

using Path = std::vector<std::string>;

/// Parsed, and kept: no address of a node is used twice.
class IncludedFiles final {
public:
    explicit IncludedFiles(const ResolveOptions& options)
        : m_options(options)
    {
    }

    /// Null where it cannot be read.
    const Node* rootOf(const Node& include)
    {
        const std::string path = includedPath(include, include.span.file);
        if (!m_options.readInclude || m_roots.size() >= kMaxSearchedFiles)
            return nullptr;
        const Result<std::string> text = m_options.readInclude(path);
        const NodePtr root = text ? parse(*text, path).root : nullptr;
        if (root)
            m_roots.push_back(root);
        return root.get();
    }

private:
    const ResolveOptions& m_options;
    std::vector<NodePtr> m_roots;
};

class KeySearch final {
public:
    KeySearch(const std::string& name, const ResolveOptions& options)
        : m_name(name)
        , m_files(options)
    {
    }

    /// Each shared node once, by its first path.
    void search(const Node& node)
    {
        if (!m_seen.insert(&node).second)
            return;
        if (isIncludeTag(node.tag))
            searchFile(node);
        for (size_t i = 0; i < node.items.size(); ++i)
            searchBelow(std::to_string(i), *node.items[i]);
        for (const Entry& entry : node.entries) {
            if (entry.key->text == m_name && !m_path.empty())
                addFound();
            searchBelow(entry.key->text, *entry.value);
        }
    }

    std::vector<Path> found;

private:
    void addFound()
    {
        Path path = m_path;
        path.push_back(m_name);
        if (std::find(found.begin(), found.end(), path) == found.end())
            found.push_back(std::move(path));
    }
    void searchBelow(const std::string& key, const Node& node)
    {
        m_path.push_back(key);
        search(node);
        m_path.pop_back();
    }
    void searchFile(const Node& include)
    {
        if (const Node* root = m_files.rootOf(include))
            search(*root);
    }

    const std::string& m_name;
    Path m_path;
    std::set<const Node*> m_seen;
    IncludedFiles m_files;
};

/// Goes the way of a reference, through others and into included files.
class Follower final {
public:
    Follower(const Node& root, const ResolveOptions& options)
        : m_root(&root)
        , m_files(options)
    {
    }

    /// False where nothing stands there.
    bool follow(const Reference& reference)
    {
        path = m_rootPath;
        node = m_root;
        for (const std::string& key : reference.keys) {
            goTo(key);
            if (!node)
                return false;
        }
        return reference.attribute.empty();
    }

    const Node* node = nullptr;
    Path path; ///< from the recipe's root

private:
    /// What the body of an !include says counts before the file, whose references are to its own.
    void goTo(const std::string& key)
    {
        const NodePtr own = find(*node, key);
        if (!own && isIncludeTag(node->tag)) {
            m_root = m_files.rootOf(*node);
            m_rootPath = path;
            node = m_root;
        }
        path.push_back(key);
        node = node ? find(*node, key).get() : nullptr;
    }

    const Node* m_root; ///< of the file that the reference stands in
    Path m_rootPath;
    IncludedFiles m_files;
};

} // namespace

std::string suggestion(std::string_view wrong, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (const std::string character = lookAlikeIn(wrong, name); !character.empty())
            return ", " + character + " stands in it; write '" + name + "'";
        if (const std::string character = lookAlikeIn(name, wrong); !character.empty())
            return "; " + character + " stands in the key that looks like it; write that in ASCII";
    }
    const std::string near = nearestName(wrong, names);
    if (!near.empty())
        return "; did you mean '" + near + "'?";
    if (names.empty())
        return "";
    const std::set<std::string> sorted(names.begin(), names.end());
    return "; it knows " + listFirst({ sorted.begin(), sorted.end() }, kShownNames);
}

std::string withPath(const Override& override, const std::vector<std::string>& path)
{
    const size_t value = override.text.find(join(override.path, "."));
    const bool isTyped = value != std::string::npos;
    const std::string rest
        = isTyped ? override.text.substr(value + join(override.path, ".").size()) : "=…";
    return "--" + join(path, ".") + rest;
}

std::vector<std::vector<std::string>> placesOfKey(
    const Node& mapping, const std::string& name, const ResolveOptions& options)
{
    KeySearch search(name, options);
    search.search(mapping);
    return std::move(search.found);
}

std::optional<std::vector<std::string>> containerBehind(
    const Node& reference, const Node& root, const ResolveOptions& options)
{
    if (!isReference(reference))
        return std::nullopt;
    Follower follower(root, options);
    follower.node = &reference;
    for (size_t step = 0; isReference(*follower.node) && step < kMaxSteps; ++step) {
        const std::string text = follower.node->text;
        const std::vector<Piece> pieces = splitReferences(text);
        if (pieces.size() != 1 || !pieces.front().isReference
            || !follower.follow(readReference(text)))
            return std::nullopt;
    }
    const Node& node = *follower.node;
    const bool isContainer = node.kind != Kind::Scalar || isIncludeTag(node.tag)
        || !newClass(node).empty() || !nameClass(node).empty();
    return isContainer ? std::optional(follower.path) : std::nullopt;
}

} // namespace earwright::recipe
