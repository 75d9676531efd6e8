#include "core/base/text.h"
#include "core/recipe/limits.h"
#include "core/recipe/override_value.h"
#include "core/recipe/resolver.h"

#include <algorithm>
#include <set>

namespace earwright::recipe {
namespace {

void markIncluded(const NodePtr& node, const std::string& path, std::set<const Node*>& seen)
{
    if (!seen.insert(node.get()).second)
        return;
    node->origin = Origin::Include;
    node->originText = path;
    for (const NodePtr& item : node->items)
        markIncluded(item, path, seen);
    for (const Entry& entry : node->entries) {
        markIncluded(entry.key, path, seen);
        markIncluded(entry.value, path, seen);
    }
}

} // namespace

NodePtr Resolver::include(const NodePtr& include)
{
    const Node& node = *include;
    const std::string path = includedPath(node, m_session.openFiles.back());
    if (std::find(m_session.openFiles.begin(), m_session.openFiles.end(), path)
        != m_session.openFiles.end())
        return m_reporter.fail(node, "include",
            "'" + path + "' includes itself: " + join(m_session.openFiles, " -> ") + " -> " + path);
    if (m_session.openFiles.size() > kMaxIncludeDepth)
        return m_reporter.fail(node, "include",
            "more than " + std::to_string(kMaxIncludeDepth) + " files include each other");
    if (++m_session.includedFiles > kMaxIncludedFiles)
        return m_reporter.fail(node, "include",
            "more than " + std::to_string(kMaxIncludedFiles) + " files are included");
    const Result<std::string> text = m_session.options.readInclude(path);
    if (!text)
        return m_reporter.fail(node, "include", text.error().message);
    m_session.includedBytes += text->size();
    if (m_session.includedBytes > kMaxBytes)
        return m_reporter.fail(node, "include",
            "the included files hold more than " + std::to_string(kMaxBytes >> 20) + " MiB");
    m_session.openFiles.push_back(path);
    m_session.includePlaces.push_back(node.span);
    const NodePtr included = includeText(include, path, *text);
    m_session.openFiles.pop_back();
    m_session.includePlaces.pop_back();
    return included ? included
                    : m_reporter.fail(node, "include",
                        "'" + path + "' cannot be read as asked; its first error says why");
}

/// The body of the !include is a set of overrides: the file's own references see it, keys the file
/// lacks are added. Null where that is not possible.
NodePtr Resolver::includeText(
    const NodePtr& include, const std::string& path, const std::string& text)
{
    Parsed parsed = parse(text, path);
    for (Diagnostic& diagnostic : parsed.diagnostics)
        m_reporter.report(std::move(diagnostic));
    if (!parsed.root)
        return nullptr;
    const Node& node = *include;
    std::set<const Node*> seen;
    markIncluded(parsed.root, path, seen);
    if (node.kind == Kind::Mapping && !node.entries.empty()) {
        if (parsed.root->kind != Kind::Mapping) {
            m_reporter.fail(*parsed.root, "include", "the file has no keys to set");
            return nullptr;
        }
        mergeInto(*parsed.root, *deepCopy(node));
    }
    override(include, *parsed.root);
    return Resolver(m_session, parsed.root, text, m_places.pathOf(&node)).run();
}

/// Sets what overrides say of the file. What they refer to are the keys of the file that includes
/// it.
void Resolver::override(const NodePtr& include, Node& root)
{
    const auto found = m_session.waitingOverrides.find(include);
    if (found == m_session.waitingOverrides.end())
        return;
    std::vector<WaitingOverride> own = found->second;
    for (WaitingOverride& waiting : own)
        waiting.value = deepCopy(*resolve(waiting.value));
    applyWaiting(root, own, m_session.options, m_session.waitingOverrides, m_session.diagnostics);
}

} // namespace earwright::recipe
