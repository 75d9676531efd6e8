#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/override.h"

namespace kymo::recipe {

/// Sets each override in a tree not yet resolved, in their order. A top-level key the tree lacks is
/// an error unless `addableKeys` lists it; deeper keys are added. `fileName` is for messages.
void applyOverrides(Node& root, const std::vector<Override>& overrides,
    const std::vector<std::string>& addableKeys, const std::string& fileName,
    std::vector<Diagnostic>& diagnostics);

/// Sets the entries of `changes` in `mapping`: mapping into mapping is merged and keeps the tag it
/// had, anything else is replaced, keys that are new are added at the end.
void mergeInto(Node& mapping, const Node& changes);

} // namespace kymo::recipe
