#pragma once

#include <ATen/Context.h>

namespace kymo::train {

/// The generator that layers draw from on a device.
inline at::Generator generatorOf(c10::Device device)
{
    return at::globalContext().defaultGenerator(device);
}

} // namespace kymo::train
