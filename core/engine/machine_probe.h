#pragma once

#include "core/check/machine.h"

#include <string>

namespace earwright::engine {

/// Asks CUDA (its own order, CUDA_VISIBLE_DEVICES honoured), the kernel and, through dlopen, NVML.
/// Takes a CUDA context only where there is a device.
check::Machine probeMachine();
/// As nvidia-smi names it: "GPU-…"; "" without CUDA.
std::string gpuUuid(int index);

} // namespace earwright::engine
