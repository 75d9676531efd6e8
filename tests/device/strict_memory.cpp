#include "tests/device/strict_memory.h"

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <mutex>
#include <utility>

namespace earwright::tests {

namespace {

constexpr size_t kBytes = size_t(8) << 30; // of address space; pages come as they are written
constexpr size_t kAlignment = 512;

// Constant after mapStrictMemory().
char* g_closed = nullptr;
char* g_open = nullptr;

std::mutex g_memoryMutex; ///< Guards all below
size_t g_next = kAlignment;

char* opened(const void* closed)
{
    return g_open + (static_cast<const char*>(closed) - g_closed);
}

/// Memory is never reused: a test case is short, and what is read too late stays wrong to read.
class StrictAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(size_t bytes) override
    {
        const std::lock_guard lock(g_memoryMutex);
        TORCH_CHECK(g_closed, "the strict device's memory is not mapped");
        char* p = g_closed + g_next;
        g_next += (bytes + kAlignment - 1) / kAlignment * kAlignment;
        TORCH_CHECK(g_next < kBytes, "the strict device's memory is full");
        return { p, p, [](void*) {}, kStrictDevice };
    }
    c10::DeleterFnPtr raw_deleter() const override
    {
        return [](void*) {};
    }
    void copy_data(void* to, const void* from, size_t bytes) const override
    {
        std::memcpy(opened(to), opened(from), bytes);
    }
};

} // namespace

void mapStrictMemory()
{
    if (g_closed)
        return;
    const int file = memfd_create("strict-device", 0);
    TORCH_CHECK(file >= 0 && ftruncate(file, static_cast<off_t>(kBytes)) == 0,
        "no memory for the strict device");
    void* closed = mmap(nullptr, kBytes, PROT_NONE, MAP_SHARED, file, 0);
    void* open = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    TORCH_CHECK(closed != MAP_FAILED && open != MAP_FAILED, "no memory for the strict device");
    g_closed = static_cast<char*>(closed);
    g_open = static_cast<char*>(open);
}

c10::Allocator& strictAllocator()
{
    static StrictAllocator allocator;
    return allocator;
}

bool isOnStrictDevice(const at::Tensor& t)
{
    return t.defined() && t.device().type() == kStrictDevice.type();
}

at::Tensor emptyOnDevice(c10::IntArrayRef sizes, c10::IntArrayRef strides, at::ScalarType type)
{
    return at::detail::empty_strided_generic(
        sizes, strides, &strictAllocator(), c10::DispatchKeySet(c10::DispatchKey::HPU), type);
}

at::Tensor hostView(const at::Tensor& t)
{
    if (!isOnStrictDevice(t))
        return t;
    const auto options = at::TensorOptions(t.scalar_type()).device(at::kCPU);
    if (t.numel() == 0)
        return at::empty_strided(t.sizes(), t.strides(), options);
    return at::from_blob(
        opened(t.unsafeGetTensorImpl()->mutable_data()), t.sizes(), t.strides(), options);
}

at::Tensor copiedToDevice(const at::Tensor& host)
{
    const at::Tensor dense = host.is_non_overlapping_and_dense() ? host : host.contiguous();
    const at::Tensor t = emptyOnDevice(dense.sizes(), dense.strides(), dense.scalar_type());
    if (host.numel() > 0)
        hostView(t).copy_(host);
    return t;
}

at::Tensor resultOnDevice(const at::Tensor& host, const std::vector<at::Tensor>& operands)
{
    if (!host.defined() || !host.device().is_cpu())
        return host;
    const char* p = host.numel() > 0
        ? static_cast<const char*>(host.unsafeGetTensorImpl()->mutable_data())
        : nullptr;
    if (p < g_open || p >= g_open + kBytes)
        return copiedToDevice(host);
    for (const at::Tensor& operand : operands) {
        const char* base = opened(operand.storage().mutable_data());
        if (p < base || p >= base + operand.storage().nbytes())
            continue;
        at::Tensor view = at::detail::make_tensor<at::TensorImpl>(
            at::TensorImpl::VIEW, c10::Storage(operand.storage()), operand.key_set(), host.dtype());
        view.unsafeGetTensorImpl()->set_sizes_and_strides(
            host.sizes(), host.strides(), (p - base) / static_cast<int64_t>(host.itemsize()));
        return view;
    }
    TORCH_CHECK(false, "a result lies in the memory of no operand");
}

} // namespace earwright::tests
