#include "core/train/cpu_memory.h"

#include <atomic>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/CPUAllocator.h>
#include <limits>
#include <malloc.h>
#include <mutex>
#include <utility>

namespace earwright::train {

namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
constexpr double kMiB = 1024.0 * 1024.0;

std::atomic<int64_t> limitBytes { kNoLimit };
std::atomic<int64_t> heldBytes { 0 };
c10::DeleterFnPtr freeBlock = nullptr;
thread_local bool isWithin = false;

int64_t sizeOf(void* block)
{
    return static_cast<int64_t>(malloc_usable_size(block));
}

void release(void* block)
{
    heldBytes -= sizeOf(block);
    freeBlock(block);
}

/// LibTorch's own allocator with a count of what is held.
class LimitedAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(size_t bytes) override
    {
        const int64_t limit = limitBytes;
        TORCH_CHECK_WITH(OutOfMemoryError,
            !isWithin || limit == kNoLimit || heldBytes + static_cast<int64_t>(bytes) <= limit,
            "CPU out of memory. Tried to allocate ", static_cast<double>(bytes) / kMiB,
            " MiB; tensors hold ", static_cast<double>(heldBytes) / kMiB, " MiB of a limit of ",
            static_cast<double>(limit) / kMiB, " MiB.");
        c10::DataPtr block = m_inner->allocate(bytes);
        TORCH_INTERNAL_ASSERT(block.compare_exchange_deleter(freeBlock, &release));
        heldBytes += sizeOf(block.get());
        return block;
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* target, const void* source, size_t bytes) const override
    {
        default_copy_data(target, source, bytes);
    }

private:
    c10::Allocator* m_inner = c10::GetDefaultCPUAllocator();
};

} // namespace

void limitCpuMemory(int64_t bytes)
{
    static std::once_flag installed;
    std::call_once(installed, [] {
        freeBlock = c10::GetDefaultCPUAllocator()->raw_deleter();
        c10::SetCPUAllocator(new LimitedAllocator, 1); // never goes, as blocks may outlive all else
    });
    limitBytes = bytes > 0 ? bytes : kNoLimit;
}

WithinCpuLimit::WithinCpuLimit()
    : m_before(std::exchange(isWithin, true))
{
}

WithinCpuLimit::~WithinCpuLimit()
{
    isWithin = m_before;
}

int64_t cpuMemoryHeld()
{
    return heldBytes;
}

void releaseCached(c10::Device device)
{
    if (device.is_cuda())
        c10::getDeviceAllocator(device.type())->emptyCache();
}

} // namespace earwright::train
