#pragma once

#include "tests/device/strict_memory.h"

namespace earwright::tests {

/// Makes kStrictDevice usable: a GPU that is none. Its memory is closed to the host, its operators
/// refuse operands on the CPU as CUDA's do, and it notes where the host would wait for a GPU
/// (host_waits.h). The operators themselves compute on the CPU. Before the first tensor of a
/// process.
void installStrictDevice();

} // namespace earwright::tests
