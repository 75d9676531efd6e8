#pragma once

#include "core/model/layer_set.h"
#include "core/recipe/resolve.h"

#include <QtGlobal>

namespace earwright::tests {

/// The layer under the key `x` of a recipe's text; a refusal ends the test.
inline std::shared_ptr<model::Layer> layerOf(const std::string& recipe)
{
    const recipe::Resolved resolved = recipe::resolve(recipe, "t.yaml", {});
    if (!resolved.root || recipe::hasErrors(resolved.diagnostics))
        qFatal("the recipe does not resolve:\n%s", recipe.c_str());
    std::vector<recipe::Diagnostic> diagnostics;
    const auto layer = model::LayerSet(diagnostics).get(*recipe::find(*resolved.root, "x"));
    if (!layer)
        qFatal("%s", diagnostics.front().message.c_str());
    return layer;
}

} // namespace earwright::tests
