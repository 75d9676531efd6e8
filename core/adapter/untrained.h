#pragma once

#include "core/adapter/toolkit.h"

#include <string>

namespace earwright::adapter {

/// One sentence on a model of FunASR that no task trains: what it does instead of writing down
/// speech, or that its class is not known. "" where a task trains it, and for other toolkits.
/// `root`: as adapt() gives it.
std::string whyUntrained(const recipe::Node& root, Toolkit toolkit);

} // namespace earwright::adapter
