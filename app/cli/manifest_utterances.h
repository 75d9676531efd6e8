#pragma once

#include "app/cli/arguments.h"

namespace earwright::cli {

/// `earwright utterances --manifest FILE`: prints the rows of a manifest before a training, and on
/// standard error what to know of all. Returns an exit code.
int printManifest(const Arguments& given);

} // namespace earwright::cli
