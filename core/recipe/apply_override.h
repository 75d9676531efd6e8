#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/override.h"
#include "core/recipe/resolve.h"

#include <unordered_map>

namespace earwright::recipe {

/// What an override sets in a file that is included: it waits until that file is read.
struct WaitingOverride {
    const Override* override;
    std::vector<std::string> includedAt; ///< where the file's tree hangs in the recipe's
    std::vector<std::string> path; ///< in the file; empty: `value` is a mapping of its keys
    NodePtr value;
};

/// By the `!include:` that they go into, each in the order given.
using WaitingOverrides = std::unordered_map<NodePtr, std::vector<WaitingOverride>>;

/// Sets each override in a tree not yet resolved, in their order. Whatever would not take effect is
/// an error: a top-level key the tree lacks (unless `options` lists it as one to add), a deeper one
/// that `options.acceptedKeys` does not know, a key below a text, an item past a list's end, an
/// override that a later one replaces. `overrides` must outlive `waiting`.
void applyOverrides(Node& root, const std::vector<Override>& overrides,
    const ResolveOptions& options, WaitingOverrides& waiting, std::vector<Diagnostic>& diagnostics);

/// The same in the tree of an included file, whose keys alone may be set at its top. `own`: those
/// that waited for it; `waiting`: for files that it includes itself.
void applyWaiting(Node& root, const std::vector<WaitingOverride>& own,
    const ResolveOptions& options, WaitingOverrides& waiting, std::vector<Diagnostic>& diagnostics);

} // namespace earwright::recipe
