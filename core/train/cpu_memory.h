#pragma once

#include <c10/core/Device.h>
#include <cstdint>

namespace kymo::train {

/// From now on the tensors of this process hold at most so many bytes on the CPU: what would go
/// beyond throws c10::OutOfMemoryError, in the middle of a forward or backward, as CUDA's allocator
/// does. Tensors made before the first call do not count, nor does oneDNN's scratch memory. 0
/// lifts the limit. Safe from any thread.
void limitCpuMemory(int64_t bytes);

/// Bytes that count against the limit; 0 before the first call.
int64_t cpuMemoryHeld();

/// Gives memory that a GPU's allocator keeps for later back to the device, so that smaller pieces
/// can be cut from it anew. Nothing on a CPU.
void releaseCached(c10::Device device);

} // namespace kymo::train
