#pragma once

#include "core/recipe/diagnostic.h"
#include "core/recipe/node.h"

#include <vector>

namespace earwright::adapter {

/// Replaces OmegaConf's `${a.b}` below a mapping by what it names. A scalar that is nothing else
/// becomes that value: a scalar at its own place, a mapping or list shared; within a text it
/// becomes the value's text. A resolver (`${now:%Y}`, `${oc.env:HOME}`) is known when a program
/// runs only, a relative path (`${.a}`) is not followed: these scalars are tagged "!PLACEHOLDER".
/// Rules: unknown-reference, reference-cycle.
recipe::NodePtr interpolate(
    const recipe::NodePtr& root, std::vector<recipe::Diagnostic>& diagnostics);

} // namespace earwright::adapter
