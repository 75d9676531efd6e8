#include "tests/device/strict_device.h"

#include <ATen/detail/HPUHooksInterface.h>
#include <ATen/DeviceAccelerator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace earwright::tests {

void installStrictDevice()
{
    mapStrictMemory();
    c10::SetAllocator(kStrictDevice.type(), &strictAllocator());
    // A build of LibTorch with CUDA looks for CUDA's driver even where no device is asked for.
    static const c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::CUDA> kNoCuda;
    c10::impl::device_guard_impl_registry[static_cast<size_t>(c10::DeviceType::CUDA)].store(
        &kNoCuda);
}

} // namespace earwright::tests

namespace c10::impl {

namespace {

/// One device with one stream, on which all is done at once.
class AtOnce final : public NoOpDeviceGuardImpl<DeviceType::HPU> {
public:
    Device getDevice() const override { return Device(DeviceType::HPU, 0); }
    Device exchangeDevice(Device) const override { return getDevice(); }
    Stream getStream(Device) const noexcept override
    {
        return Stream(Stream::DEFAULT, getDevice());
    }
    Stream getDefaultStream(Device device) const override { return getStream(device); }
    Stream exchangeStream(Stream stream) const noexcept override
    {
        return getStream(stream.device());
    }
    bool queryStream(const Stream&) const override { return true; }
    void synchronizeStream(const Stream&) const override { }
    void recordDataPtrOnStream(const c10::DataPtr&, const Stream&) const override { }
    void record(void** event, const Stream&, const DeviceIndex, const EventFlag) const override
    {
        *event = const_cast<AtOnce*>(this);
    }
    void block(void*, const Stream&) const override { }
    bool queryEvent(void*) const override { return true; }
    void destroyEvent(void*, const DeviceIndex) const noexcept override { }
    void synchronizeEvent(void*) const override { }
};

} // namespace

C10_REGISTER_GUARD_IMPL(HPU, AtOnce)

} // namespace c10::impl

/// In place of LibTorch's own, which says CUDA: a program's symbols come before a library's.
__attribute__((visibility("default"))) std::optional<c10::DeviceType>
at::accelerator::getAccelerator(bool)
{
    return c10::DeviceType::HPU;
}

namespace at {

namespace {

class HPUHooks final : public HPUHooksInterface {
public:
    explicit HPUHooks(HPUHooksArgs) { }
    void init() const override { }
    bool hasHPU() const override { return true; }
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
};

} // namespace

REGISTER_HPU_HOOKS(HPUHooks);

} // namespace at
