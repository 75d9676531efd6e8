#pragma once

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>

namespace earwright::model {

/// The type of losses, features and statistics: float32, or float64 where the model computes in it
/// (under LibTorch's default type float64, as proofs of equality do).
inline at::ScalarType fullType(const at::Tensor& x)
{
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

/// No autocast on one device type for the life of the object: losses and features are float32 under
/// every precision. (Under tf32 a GPU rounds the factors of their matrix products, as upstream's.)
class AutocastOff final {
public:
    explicit AutocastOff(c10::DeviceType device)
        : m_device(device)
        , m_before(at::autocast::is_autocast_enabled(device))
    {
        at::autocast::set_autocast_enabled(m_device, false);
    }
    ~AutocastOff() { at::autocast::set_autocast_enabled(m_device, m_before); }
    AutocastOff(const AutocastOff&) = delete;
    AutocastOff& operator=(const AutocastOff&) = delete;

private:
    c10::DeviceType m_device;
    bool m_before;
};

} // namespace earwright::model
