#pragma once

#include "core/catalog/run_options.h"
#include "core/check/check.h"
#include "core/settings/report.h"
#include "core/tasks/read_settings.h"

#include <string>
#include <vector>

namespace earwright::check {

using settings::Settings;

/// What every rule may look at.
struct Context {
    const Request& request;
    const Machine& machine;
    const recipe::Node& root; ///< resolved, a mapping
    const recipe::NodePtr& written; ///< as parsed, references unresolved; may be null
    const std::vector<std::string>& devices; ///< empty where they cannot be read
    const catalog::RunOptions& options;
    const Settings settings = tasks::readSettings(root, options); ///< as a run reads them
};

using settings::Diagnostics;
using settings::report;

/// Rules only add to the list; their order does not matter.
using Rule = void (*)(const Context&, Diagnostics&);

} // namespace earwright::check
