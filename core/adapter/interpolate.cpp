#include "core/adapter/interpolate.h"

#include "core/base/text.h"

#include <unordered_map>
#include <unordered_set>

namespace earwright::adapter {

using recipe::Kind;
using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr size_t kDeepest = 32; ///< references to references

class Interpolation final {
public:
    Interpolation(const NodePtr& root, std::vector<recipe::Diagnostic>& diagnostics)
        : m_root(root)
        , m_diagnostics(diagnostics)
    {
    }

    NodePtr of(const NodePtr& node, size_t level = 0)
    {
        if (node->kind == Kind::Scalar)
            return scalar(node, level);
        if (m_open.contains(node.get())) {
            report("reference-cycle", "its references lead back to this", *node);
            return unknown(*node);
        }
        if (const auto known = m_done.find(node.get()); known != m_done.end())
            return known->second;
        const NodePtr copy = std::make_shared<Node>(*node);
        m_done.emplace(node.get(), copy);
        m_open.insert(node.get());
        for (NodePtr& item : copy->items)
            item = of(item, level);
        for (recipe::Entry& entry : copy->entries)
            entry.value = of(entry.value, level);
        m_open.erase(node.get());
        return copy;
    }

private:
    NodePtr scalar(const NodePtr& node, size_t level)
    {
        const size_t begin = node->text.find("${");
        const size_t end = node->text.find('}', begin);
        if (begin == std::string::npos || end == std::string::npos)
            return node;
        const std::string path = node->text.substr(begin + 2, end - begin - 2);
        const NodePtr value = target(path, *node, level);
        const bool isWhole = begin == 0 && end + 1 == node->text.size();
        if (!value || (value->kind != Kind::Scalar && !isWhole))
            return unknown(*node);
        if (value->kind != Kind::Scalar)
            return of(value, level + 1); // shared: copied, references to references would multiply
        const NodePtr copy = std::make_shared<Node>(*value);
        copy->span = node->span;
        if (!isWhole)
            copy->text = node->text.substr(0, begin) + value->text + node->text.substr(end + 1);
        return of(copy, level + 1);
    }

    /// The value at a path, which may lead through other references; null where there is none.
    NodePtr follow(const std::string& path, size_t level)
    {
        NodePtr at = m_root;
        for (const std::string& key : split(path, '.')) {
            if (at->kind == Kind::Scalar && level < kDeepest)
                at = scalar(at, level + 1);
            at = recipe::find(*at, key);
            if (!at)
                return nullptr;
        }
        return at;
    }

    /// Null where there is none, with a diagnostic where that is the text's fault.
    NodePtr target(const std::string& path, const Node& at, size_t level)
    {
        if (path.find(':') != std::string::npos || path.starts_with('.'))
            return nullptr;
        const NodePtr found = follow(path, level);
        if (!found)
            report("unknown-reference", "the reference ${" + path + "} names nothing", at);
        if (!found || (level < kDeepest && !m_open.contains(found.get())))
            return found;
        report("reference-cycle", "the reference ${" + path + "} leads back to itself", at);
        return nullptr;
    }

    void report(const char* rule, std::string message, const Node& at)
    {
        m_diagnostics.push_back(
            { recipe::Severity::Error, rule, std::move(message), at.span, std::nullopt, {} });
    }

    static NodePtr unknown(const Node& node)
    {
        const NodePtr copy = std::make_shared<Node>(node);
        copy->tag = "!PLACEHOLDER";
        return copy;
    }

    NodePtr m_root;
    std::vector<recipe::Diagnostic>& m_diagnostics;
    std::unordered_map<const Node*, NodePtr> m_done;
    std::unordered_set<const Node*> m_open; ///< whose children are being replaced
};

} // namespace

NodePtr interpolate(const NodePtr& root, std::vector<recipe::Diagnostic>& diagnostics)
{
    return Interpolation(root, diagnostics).of(root);
}

} // namespace earwright::adapter
