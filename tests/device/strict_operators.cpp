// The operators of the strict device: those that make and move tensors, and one for all others.
#include "tests/device/host_waits.h"
#include "tests/device/strict_memory.h"

#include <ATen/ATen.h>
#include <ATen/EmptyTensor.h>
#include <ATen/NativeFunctions.h>
#include <torch/library.h>

#include <array>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace earwright::tests {

namespace {

/// What CUDA's operators take from the host besides single numbers.
bool takesHostOperands(const std::string& name)
{
    static const std::set<std::string> kNames { "aten::_copy_from", "aten::copy_",
        "aten::index.Tensor", "aten::_index_put_impl_", "aten::index_put_",
        "aten::_pack_padded_sequence", "aten::_pad_packed_sequence",
        "aten::_pack_padded_sequence_backward" };
    return kNames.contains(name);
}

/// Operators whose result is a number, or a shape that hangs on numbers.
bool isRead(const std::string& name)
{
    static const std::set<std::string> kNames { "aten::_local_scalar_dense", "aten::nonzero",
        "aten::masked_select", "aten::equal", "aten::_unique2", "aten::unique_consecutive",
        "aten::bincount", "aten::repeat_interleave" };
    return kNames.contains(name);
}

/// LossCTC.cu copies both lengths and its offsets from memory that is not pinned.
bool copiesLengths(const std::string& name)
{
    return name == "aten::_ctc_loss" || name == "aten::_ctc_loss_backward";
}

void replaceMemory(const at::Tensor& t, const at::Tensor& by)
{
    t.unsafeGetTensorImpl()->set_storage_keep_dtype(by.storage());
    t.unsafeGetTensorImpl()->set_sizes_and_strides(by.sizes(), by.strides(), 0);
}

/// One call of an operator, computed on host views of its operands.
class HostedCall final {
public:
    HostedCall(const c10::OperatorHandle& op, torch::jit::Stack& stack)
        : m_op(op)
        , m_arguments(op.schema().arguments())
        , m_stack(stack)
        , m_originals(m_arguments.size())
    {
        m_name = op.operator_name().name;
        if (!op.operator_name().overload_name.empty())
            m_name += "." + op.operator_name().overload_name;
    }

    void run()
    {
        noteDeviceOperator();
        if (isRead(m_op.operator_name().name))
            noteHostWait(m_name);
        if (copiesLengths(m_op.operator_name().name))
            noteHostWait(m_name + " copies lengths");
        const size_t first = m_stack.size() - m_arguments.size();
        for (size_t i = 0; i < m_arguments.size(); ++i)
            hostArgument(m_stack[first + i], i);
        m_op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &m_stack);
        for (const auto& [device, host] : m_empty) {
            if (host.numel() > 0 || host.sizes() != device.sizes())
                replaceMemory(device, copiedToDevice(host));
        }
        const auto& returns = m_op.schema().returns();
        for (size_t i = 0; i < returns.size(); ++i)
            returnToDevice(m_stack[m_stack.size() - returns.size() + i], returns[i]);
    }

private:
    at::Tensor hosted(const at::Tensor& t, size_t place)
    {
        if (!isOnStrictDevice(t)) {
            TORCH_CHECK(
                !t.defined() || !t.device().is_cpu() || t.dim() == 0 || takesHostOperands(m_name),
                m_name, ": argument ", place, " of shape ", t.sizes(),
                " is on the CPU, beside operands on the device");
            return t;
        }
        m_operands.push_back(t);
        at::Tensor host = hostView(t);
        const auto* alias = m_arguments[place].alias_info();
        if (alias && alias->isWrite() && t.numel() == 0)
            m_empty.emplace_back(t, host);
        return host;
    }

    void hostArgument(c10::IValue& value, size_t place)
    {
        if (value.isTensor()) {
            m_originals[place] = value.toTensor();
            value = hosted(m_originals[place], place);
        } else if (value.isTensorList()) {
            std::vector<at::Tensor> all = value.toTensorVector();
            for (at::Tensor& t : all)
                t = hosted(t, place);
            value = c10::IValue(all);
        } else if (value.isOptionalTensorList()) {
            c10::List<std::optional<at::Tensor>> all;
            for (const std::optional<at::Tensor>& t : value.toOptionalTensorVector())
                all.push_back(t ? std::optional(hosted(*t, place)) : t);
            value = c10::IValue(all);
        } else if (value.isDevice() && value.toDevice().type() == kStrictDevice.type()) {
            value = c10::Device(at::kCPU);
        }
    }

    void returnToDevice(c10::IValue& value, const c10::Argument& info)
    {
        const auto* alias = info.alias_info();
        if (alias && alias->isWrite() && value.isTensor()) {
            for (size_t i = 0; i < m_arguments.size(); ++i) {
                if (m_arguments[i].alias_info() && *m_arguments[i].alias_info() == *alias)
                    value = m_originals[i];
            }
        } else if (value.isTensor()) {
            value = resultOnDevice(value.toTensor(), m_operands);
        } else if (value.isTensorList()) {
            std::vector<at::Tensor> all = value.toTensorVector();
            for (at::Tensor& t : all)
                t = resultOnDevice(t, m_operands);
            value = c10::IValue(all);
        }
    }

    const c10::OperatorHandle& m_op;
    const std::vector<c10::Argument>& m_arguments;
    torch::jit::Stack& m_stack;
    std::string m_name;
    std::vector<at::Tensor> m_originals; ///< by argument
    std::vector<at::Tensor> m_operands; ///< those of the device
    std::vector<std::pair<at::Tensor, at::Tensor>> m_empty; ///< that may grow: of device and host
};

void anyOperator(
    const c10::OperatorHandle& op, c10::DispatchKeySet /*keys*/, torch::jit::Stack* stack)
{
    HostedCall(op, *stack).run();
}

at::Tensor emptyMemoryFormat(c10::IntArrayRef sizes, std::optional<at::ScalarType> type,
    std::optional<at::Layout> /*layout*/, std::optional<at::Device> /*device*/,
    std::optional<bool> /*pinned*/, std::optional<at::MemoryFormat> format)
{
    return at::detail::empty_generic(sizes, &strictAllocator(),
        c10::DispatchKeySet(c10::DispatchKey::HPU), c10::dtype_or_default(type), format);
}

at::Tensor emptyStrided(c10::IntArrayRef sizes, c10::IntArrayRef strides,
    std::optional<at::ScalarType> type, std::optional<at::Layout> /*layout*/,
    std::optional<at::Device> /*device*/, std::optional<bool> /*pinned*/)
{
    return emptyOnDevice(sizes, strides, c10::dtype_or_default(type));
}

at::Tensor copyFrom(const at::Tensor& from, const at::Tensor& to, bool nonBlocking)
{
    if (isOnStrictDevice(from) && !isOnStrictDevice(to))
        noteHostWait("copy to the host");
    if (!isOnStrictDevice(from) && !nonBlocking && from.numel() > 0)
        noteHostWait("blocking copy to the device");
    hostView(to).copy_(hostView(from));
    return to;
}

at::Tensor& copyInto(at::Tensor& to, const at::Tensor& from, bool nonBlocking)
{
    copyFrom(from, to, nonBlocking);
    return to;
}

at::Tensor copyFromAndResize(const at::Tensor& from, const at::Tensor& to)
{
    if (to.numel() == 0 && from.numel() > 0)
        replaceMemory(to, copiedToDevice(hostView(from)));
    else
        hostView(to).copy_(hostView(from));
    return to;
}

at::Tensor convolution(const at::Tensor& x, const at::Tensor& w, const std::optional<at::Tensor>& b,
    c10::IntArrayRef stride, c10::IntArrayRef padding, c10::IntArrayRef dilation, bool transposed,
    c10::IntArrayRef outputPadding, int64_t groups)
{
    const bool hasBias = b && b->defined();
    TORCH_CHECK(isOnStrictDevice(x) && isOnStrictDevice(w) && (!hasBias || isOnStrictDevice(*b)),
        "convolution: an operand is on the CPU, beside operands on the device");
    return copiedToDevice(at::convolution(hostView(x), hostView(w),
        hasBias ? std::optional(hostView(*b)) : std::nullopt, stride, padding, dilation, transposed,
        outputPadding, groups));
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> convolutionBackward(const at::Tensor& gradient,
    const at::Tensor& x, const at::Tensor& w, c10::IntArrayRef stride, c10::IntArrayRef padding,
    c10::IntArrayRef dilation, bool transposed, c10::IntArrayRef outputPadding, int64_t groups,
    std::array<bool, 3> mask)
{
    const std::vector<int64_t> bias { transposed ? w.size(1) * groups : w.size(0) };
    const auto [ofX, ofW, ofB] = at::convolution_backward(hostView(gradient), hostView(x),
        hostView(w), at::OptionalIntArrayRef(bias), stride, padding, dilation, transposed,
        outputPadding, groups, mask);
    const auto back = [](const at::Tensor& t) { return t.defined() ? copiedToDevice(t) : t; };
    return { back(ofX), back(ofW), back(ofB) };
}

at::Tensor view(const at::Tensor& t, c10::IntArrayRef sizes)
{
    return at::native::view(t, sizes);
}

at::Tensor asStrided(const at::Tensor& t, c10::IntArrayRef sizes, c10::IntArrayRef strides,
    std::optional<int64_t> offset)
{
    return at::native::as_strided_tensorimpl(t, sizes, strides, offset);
}

at::Tensor reshapeAlias(const at::Tensor& t, c10::IntArrayRef sizes, c10::IntArrayRef strides)
{
    return asStrided(t, sizes, strides, t.storage_offset());
}

/// Always the plain mathematics, which every device has.
int64_t attentionKernel(const at::Tensor&, const at::Tensor&, const at::Tensor&,
    const std::optional<at::Tensor>&, double, bool, std::optional<double>, bool)
{
    return 0;
}

} // namespace

TORCH_LIBRARY_IMPL(_, HPU, library)
{
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&anyOperator>());
}

TORCH_LIBRARY_IMPL(aten, HPU, library)
{
    library.impl("empty.memory_format", emptyMemoryFormat);
    library.impl("empty_strided", emptyStrided);
    library.impl("_copy_from", copyFrom);
    library.impl("copy_", copyInto);
    library.impl("_copy_from_and_resize", copyFromAndResize);
    library.impl("convolution_overrideable", convolution);
    library.impl("convolution_backward_overrideable", convolutionBackward);
    library.impl("view", view);
    library.impl("as_strided", asStrided);
    library.impl("_reshape_alias", reshapeAlias);
    library.impl("_fused_sdp_choice", attentionKernel);
}

} // namespace earwright::tests
