#include "core/train/memory/memory_meter.h"

#include <algorithm>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <mutex>

namespace earwright::train {

struct MemoryMeter::Listener final : c10::MemoryReportingInfoBase {
    void reportMemoryUsage(void*, int64_t allocSize, size_t, size_t, c10::Device device) override
    {
        if (!device.is_cpu())
            return;
        const std::lock_guard lock(mutex);
        held += allocSize;
        peak = std::max(peak, held);
    }
    bool memoryProfilingEnabled() const override { return true; }

    std::mutex mutex; ///< guards all below: autograd may free from another thread
    int64_t held = 0;
    int64_t atRestart = 0;
    int64_t peak = 0;
};

MemoryMeter::MemoryMeter()
    : m_listener(std::make_shared<Listener>())
{
    c10::ThreadLocalDebugInfo::_push(c10::DebugInfoKind::PROFILER_STATE, m_listener);
}

MemoryMeter::~MemoryMeter()
{
    c10::ThreadLocalDebugInfo::_pop(c10::DebugInfoKind::PROFILER_STATE);
}

void MemoryMeter::restart()
{
    const std::lock_guard lock(m_listener->mutex);
    m_listener->atRestart = m_listener->peak = m_listener->held;
}

int64_t MemoryMeter::peakBytes() const
{
    const std::lock_guard lock(m_listener->mutex);
    return m_listener->peak - m_listener->atRestart;
}

} // namespace earwright::train
