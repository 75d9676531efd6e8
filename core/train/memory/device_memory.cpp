#include "core/train/memory/device_memory.h"

#include <c10/core/CachingDeviceAllocator.h>

namespace earwright::train {

std::optional<DeviceMemory> deviceMemory(c10::Device device)
{
    if (!device.is_cuda())
        return {};
    auto* allocator = c10::getDeviceAllocator(device.type());
    const auto stats = allocator->getDeviceStats(device.index());
    allocator->resetPeakStats(device.index());
    const auto all = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return DeviceMemory { .allocatedBytes = stats.allocated_bytes[all].current,
        .reservedBytes = stats.reserved_bytes[all].current,
        .peakBytes = stats.allocated_bytes[all].peak };
}

} // namespace earwright::train
