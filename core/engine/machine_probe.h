#pragma once

#include "core/check/machine.h"

namespace earwright::engine {

/// Asks CUDA (its own order, CUDA_VISIBLE_DEVICES honoured), the kernel and, through dlopen, NVML.
/// Takes a CUDA context only where there is a device.
check::Machine probeMachine();

} // namespace earwright::engine
