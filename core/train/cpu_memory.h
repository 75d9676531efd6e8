#pragma once

#include <c10/core/Device.h>
#include <cstdint>

namespace earwright::train {

/// From now on the tensors of this process may hold so many bytes on the CPU; 0 lifts the limit.
/// Tensors made before the first call do not count, nor does oneDNN's scratch memory. Safe from
/// any thread.
void limitCpuMemory(int64_t bytes);

/// While it lives, what would go beyond the limit on this thread throws c10::OutOfMemoryError, in
/// the middle of a forward or backward, as CUDA's allocator does. Where there is no answer to it,
/// as in a checkpoint, nothing is thrown.
class WithinCpuLimit final {
public:
    WithinCpuLimit();
    ~WithinCpuLimit();
    WithinCpuLimit(const WithinCpuLimit&) = delete;
    WithinCpuLimit& operator=(const WithinCpuLimit&) = delete;

private:
    bool m_before;
};

/// Bytes that count against the limit; 0 before the first call.
int64_t cpuMemoryHeld();

/// Gives memory that a GPU's allocator keeps for later back to the device, so that smaller pieces
/// can be cut from it anew. Nothing on a CPU.
void releaseCached(c10::Device device);

} // namespace earwright::train
