#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>

#include <vector>

namespace earwright::tests {

/// The strict device. Its type is HPU, for which LibTorch has no kernels here. PrivateUse1, which
/// is meant for such devices, will not do: Module::to() refuses to move weights there.
inline const c10::Device kStrictDevice(c10::DeviceType::HPU, 0);

/// Maps the device's memory, once a process. The host sees it at two addresses: that of its tensors
/// is closed, so that reading through data_ptr() ends in SIGSEGV; the other one is for this device.
void mapStrictMemory();

c10::Allocator& strictAllocator();
bool isOnStrictDevice(const at::Tensor& t);
at::Tensor emptyOnDevice(c10::IntArrayRef sizes, c10::IntArrayRef strides, at::ScalarType type);

/// The same numbers through the open address. A tensor of another device is returned as it is.
at::Tensor hostView(const at::Tensor& t);
at::Tensor copiedToDevice(const at::Tensor& host);

/// What an operator gave on host views, as a tensor of the device: a view where it lies in the
/// memory of one of `operands`, else a copy.
at::Tensor resultOnDevice(const at::Tensor& host, const std::vector<at::Tensor>& operands);

} // namespace earwright::tests
