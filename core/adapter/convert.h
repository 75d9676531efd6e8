#pragma once

#include "core/adapter/toolkit.h"
#include "core/recipe/diagnostic.h"

#include <string>
#include <vector>

namespace kymo::adapter {

/// A configuration written as a recipe.
struct Converted {
    std::string text; ///< HyperPyYAML; every part says in a comment where it came from
    std::vector<recipe::Diagnostic> diagnostics; ///< adapt()'s, and what could not be converted
                                                 ///< (rule: not-converted)
};

/// Sections of known classes become `!new:` objects with the sizes that the toolkit would have
/// given them, the model's settings and the trainer's become keys at the top under the names of
/// Kymo's run options, `modules` lists what has parameters. Where FunASR's defaults are others than
/// Kymo's (ctc_weight, grad_clip) they are written out. What has no counterpart is kept as written
/// and named in a diagnostic. `root`: resolved. `fileName` is for the comments.
Converted convert(const recipe::NodePtr& root, Toolkit toolkit, const std::string& fileName);

} // namespace kymo::adapter
