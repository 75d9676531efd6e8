#pragma once

#include "core/adapter/toolkit.h"
#include "core/recipe/diagnostic.h"

#include <vector>

namespace earwright::adapter {

/// A configuration as a recipe says it.
struct Adapted {
    recipe::NodePtr root;
    std::vector<recipe::Diagnostic> diagnostics; ///< rules: unknown-class, unknown-reference,
                                                 ///< reference-cycle, unknown-override, unread-key
};

/// `encoder: SANMEncoder` with `encoder_conf` becomes one object, `encoder:
/// !name:funasr.….SANMEncoder` (a partial one: the toolkit adds sizes that it knows), `train_conf`
/// and `dataset_conf` of FunASR objects of what reads them. Every node keeps its place in the file.
/// A section whose class is not known stays as written; `none` as its name means that there is
/// none. What an override adds and nothing reads is an error, and left out.
Adapted adapt(const recipe::NodePtr& root, Toolkit toolkit);

} // namespace earwright::adapter
