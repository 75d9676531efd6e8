#pragma once

#include <cstdint>
#include <memory>

namespace earwright::train {

/// Bytes that the operators of this thread hold through LibTorch's CPU allocator, from the object's
/// life on: what torch.cuda.max_memory_allocated tells of a GPU. oneDNN's own scratch memory is not
/// seen. LibTorch warns where it frees what was allocated before the meter lived: make it first.
/// Source: c10::MemoryReportingInfoBase, which the PyTorch profiler listens by.
class MemoryMeter final {
public:
    MemoryMeter();
    ~MemoryMeter();
    MemoryMeter(const MemoryMeter&) = delete;
    MemoryMeter& operator=(const MemoryMeter&) = delete;

    void restart(); ///< from here on peakBytes() counts
    int64_t peakBytes() const; ///< the most that was held at once above what was held at restart()

private:
    struct Listener;
    std::shared_ptr<Listener> m_listener;
};

} // namespace earwright::train
