#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <vector>

namespace kymo::adapter {

/// Replaces OmegaConf's `${a.b}` below a mapping by what it names: a scalar that is nothing else
/// becomes that value, kept at its own place; within a text it becomes the value's text. A resolver
/// (`${now:%Y}`, `${oc.env:HOME}`) is only known when a program runs: its scalar is tagged
/// "!PLACEHOLDER". Rules: unknown-reference, reference-cycle.
recipe::NodePtr interpolate(
    const recipe::NodePtr& root, std::vector<recipe::Diagnostic>& diagnostics);

} // namespace kymo::adapter
