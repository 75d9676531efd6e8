#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/override.h"
#include "core/recipe/resolve.h"

namespace earwright::recipe {

/// Sets each override in a tree not yet resolved, in their order. Whatever would not take effect is
/// an error: a top-level key the tree lacks (unless `options` lists it as one to add), a deeper one
/// that `options.acceptedKeys` does not know, a key below a text, an item past a list's end, an
/// override that a later one replaces.
void applyOverrides(Node& root, const std::vector<Override>& overrides,
    const ResolveOptions& options, std::vector<Diagnostic>& diagnostics);

/// What overrides have put into the body of an `!include:` is held against the file it includes:
/// a key that the file lacks is an error, deeper ones as above.
void checkIncludeOverrides(const Node& body, const Node& file, const ResolveOptions& options,
    std::vector<Diagnostic>& diagnostics);

/// "; did you mean 'precision'?", else what there is: "; it knows a, b and 3 more", "" for nothing.
std::string suggestion(std::string_view wrong, const std::vector<std::string>& names);

} // namespace earwright::recipe
