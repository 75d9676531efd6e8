#pragma once

#include "core/base/descriptor.h"
#include "core/base/result.h"
#include "core/run/run_folder.h"

#include <chrono>

namespace earwright::run {

/// The right to run a run: a lock on RUN/hold that this process, and every child it starts from now
/// on, has until the last of them is gone. So no second supervisor starts beside the first, and
/// none while ranks of one that was killed are still leaving. Waits for it so long; the error says
/// who has it.
Result<Descriptor> holdRun(const RunFolder& folder, std::chrono::milliseconds patience);

} // namespace earwright::run
