#pragma once

#include "core/catalog/run_options.h"
#include "core/settings/settings.h"

namespace earwright::tasks {

/// Of a resolved recipe and the run options that were read of it. No file is looked at. A value
/// that cannot be read is the default, and the check has told.
settings::Settings readSettings(const recipe::Node& recipe, const catalog::RunOptions& options);

} // namespace earwright::tasks
