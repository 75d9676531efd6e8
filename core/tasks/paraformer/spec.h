#pragma once

#include "core/tasks/spec.h"

namespace earwright::tasks::paraformer {

/// FunASR's Paraformer and BiCifParaformer. SeACo's is this one and more.
Spec spec();

} // namespace earwright::tasks::paraformer
