#pragma once

#include "core/distributed/memory_shortage.h"
#include "core/train/cpu_memory.h"

#include <c10/core/Device.h>
#include <cstdint>
#include <optional>

namespace earwright::train {

/// What LibTorch's allocator holds of a GPU's memory.
struct DeviceMemory {
    int64_t allocatedBytes = 0; ///< by tensors
    int64_t reservedBytes = 0; ///< taken from the device: what is kept for later too
    int64_t peakBytes = 0; ///< the most that was allocated at once since the reading before

    /// Share of what is reserved, 0..1, that no tensor has.
    double fragmentation() const
    {
        return reservedBytes > 0
            ? 1 - static_cast<double>(allocatedBytes) / static_cast<double>(reservedBytes)
            : 0;
    }
};

/// Nothing on a CPU. The allocator counts on the host: nobody waits for the device.
std::optional<DeviceMemory> deviceMemory(c10::Device device);

/// What `work` makes. Where a library of the GPU finds no memory beside LibTorch's allocator, once
/// more with what that keeps for later given back.
template <class Work>
auto givingBack(c10::Device device, const Work& work)
{
    try {
        return work();
    } catch (const c10::Error& error) {
        const auto shortage = distributed::memoryShortage(error);
        if (!shortage || shortage->of != distributed::MemoryShortage::Of::Library)
            throw;
    }
    releaseCached(device);
    return work();
}

} // namespace earwright::train
