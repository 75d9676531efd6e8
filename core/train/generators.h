#pragma once

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <mutex>

namespace earwright::train {

/// The generator that layers draw from on a device.
inline at::Generator generatorOf(c10::Device device)
{
    return at::globalContext().defaultGenerator(device);
}

/// Where the generators stood that a forward on a device draws from.
class Draws final {
public:
    explicit Draws(c10::Device device)
        : m_device(device)
        , m_cpu(stateOf(c10::kCPU))
    {
        if (device.is_cuda())
            m_onDevice = stateOf(device);
    }
    /// From here on the same is drawn again.
    void restore() const
    {
        put(c10::kCPU, m_cpu);
        if (m_onDevice.defined())
            put(m_device, m_onDevice);
    }

private:
    static at::Tensor stateOf(c10::Device device)
    {
        at::Generator generator = generatorOf(device);
        const std::lock_guard lock(generator.mutex());
        return generator.get_state();
    }
    static void put(c10::Device device, const at::Tensor& state)
    {
        at::Generator generator = generatorOf(device);
        const std::lock_guard lock(generator.mutex());
        generator.set_state(state);
    }

    c10::Device m_device;
    at::Tensor m_cpu;
    at::Tensor m_onDevice;
};

} // namespace earwright::train
