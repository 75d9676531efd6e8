#include "core/recipe/apply_override.h"

#include "core/base/text.h"
#include "core/recipe/override_applier.h"

#include <algorithm>
#include <set>

namespace earwright::recipe {
namespace {

using Path = std::vector<std::string>;

/// Every node that the tree holds.
void collect(const Node& node, std::set<const Node*>& nodes)
{
    if (!nodes.insert(&node).second)
        return;
    for (const NodePtr& item : node.items)
        collect(*item, nodes);
    for (const Entry& entry : node.entries)
        collect(*entry.value, nodes);
}

/// One override, or its part that waited for an included file, where it goes in a tree.
struct Job {
    const Override& override;
    const Path& includedAt;
    const Path& path;
    NodePtr value;
};

/// An override given earlier whose value a later one has taken out of the tree again.
void reportReplaced(const Node& root, const std::vector<Job>& jobs,
    const std::vector<std::vector<NodePtr>>& placed, std::vector<Diagnostic>& diagnostics)
{
    std::set<const Node*> nodes;
    collect(root, nodes);
    for (size_t i = 0; i < jobs.size(); ++i) {
        const auto lost = std::find_if(placed[i].begin(), placed[i].end(),
            [&](const NodePtr& node) { return node && !nodes.contains(node.get()); });
        if (lost == placed[i].end())
            continue;
        diagnostics.push_back({ Severity::Error, "unknown-override",
            inQuotes(jobs[i].override.text)
                + " has no effect: a later override replaces its value; leave one of them out",
            (*lost)->span, std::nullopt });
    }
}

void applyAll(Node& root, const std::vector<Job>& jobs, const ResolveOptions& options,
    WaitingOverrides& waiting, std::vector<Diagnostic>& diagnostics)
{
    std::vector<std::vector<NodePtr>> placed;
    for (const Job& job : jobs) {
        OverrideApplier applier(job.override, job.includedAt, root, options, waiting);
        if (auto problem = applier.apply(job.path, job.value))
            diagnostics.push_back(std::move(*problem));
        placed.push_back(applier.placed());
    }
    reportReplaced(root, jobs, placed, diagnostics);
}

} // namespace

void applyOverrides(Node& root, const std::vector<Override>& overrides,
    const ResolveOptions& options, WaitingOverrides& waiting, std::vector<Diagnostic>& diagnostics)
{
    const Path top;
    std::vector<Job> jobs;
    for (const Override& override : overrides)
        jobs.push_back({ override, top, override.path, deepCopy(*override.value) });
    applyAll(root, jobs, options, waiting, diagnostics);
}

void applyWaiting(Node& root, const std::vector<WaitingOverride>& own,
    const ResolveOptions& options, WaitingOverrides& waiting, std::vector<Diagnostic>& diagnostics)
{
    std::vector<Job> jobs;
    for (const WaitingOverride& part : own)
        jobs.push_back({ *part.override, part.includedAt, part.path, part.value });
    applyAll(root, jobs, options, waiting, diagnostics);
}

} // namespace earwright::recipe
