#include "core/model/rounded_convolution.h"

#include <algorithm>
#include <ATen/autocast_mode.h>
#include <ATen/Context.h>
#include <bit>
#include <torch/autograd.h>

namespace earwright::model {

namespace {

// Note [Few lengths for cuDNN]
// cuDNN plans each shape anew, for the forward and for both gradients, and a corpus has as many
// lengths as batches. So the input ends in zeros up to a round length, and the output is cut: what
// is left is the same sums. The border makes a copy anyway, which takes the zeros along.
//
// ATen's reflection_pad2d is not taken on a GPU. It gives up the channels-last layout, so that a
// layer transposes there and back, and its gradient adds by atomics.

constexpr int64_t kLeastStep = 8;
constexpr uint64_t kSteps = 16; ///< from a length to its double

struct ReflectedSides {
    std::array<int64_t, 4> sides; ///< left, right, above, below
    std::array<int64_t, 2> zeros; ///< more rows below, more columns on the right
    at::ScalarType type;
    at::MemoryFormat format;
};

/// The strips beside x's part of `padded` along `dim`, in the padded tensor, and where in it they
/// are reflected from; both leave out the outermost row of x.
struct Strip {
    torch::Tensor border;
    torch::Tensor inner;
};

std::array<Strip, 2> stripsOf(
    const torch::Tensor& padded, int64_t dim, int64_t before, int64_t size, int64_t after)
{
    return { Strip { padded.narrow(dim, 0, before), padded.narrow(dim, before + 1, before) },
        Strip { padded.narrow(dim, before + size, after),
            padded.narrow(dim, before + size - 1 - after, after) } };
}

void reflect(const torch::Tensor& padded, int64_t dim, int64_t before, int64_t size, int64_t after)
{
    for (const Strip& strip : stripsOf(padded, dim, before, size, after))
        if (strip.border.size(dim) > 0)
            strip.border.copy_(strip.inner.flip(dim));
}

/// What reached the border adds to what it is a copy of.
torch::Tensor folded(
    const torch::Tensor& gradient, int64_t dim, int64_t before, int64_t size, int64_t after)
{
    for (const Strip& strip : stripsOf(gradient, dim, before, size, after))
        if (strip.border.size(dim) > 0)
            strip.inner.add_(strip.border.flip(dim));
    return gradient.narrow(dim, before, size);
}

class ReflectedInput final : public torch::autograd::Function<ReflectedInput> {
public:
    static torch::Tensor forward(torch::autograd::AutogradContext* context,
        const torch::Tensor& x_BCHW, const ReflectedSides& of)
    {
        const auto [left, right, above, below] = of.sides;
        const int64_t height = x_BCHW.size(2), width = x_BCHW.size(3);
        const int64_t rows = above + height + below, columns = left + width + right;
        context->saved_data["sides"] = std::vector<int64_t>(of.sides.begin(), of.sides.end());
        context->saved_data["sizes"] = std::vector<int64_t> { height, width };
        context->saved_data["type"] = static_cast<int64_t>(x_BCHW.scalar_type());
        const torch::Tensor padded = at::empty(
            { x_BCHW.size(0), x_BCHW.size(1), rows + of.zeros[0], columns + of.zeros[1] },
            x_BCHW.options().dtype(of.type), of.format);
        const torch::Tensor wide = padded.narrow(3, 0, columns).narrow(2, 0, rows);
        const torch::Tensor middle = wide.narrow(2, above, height);
        middle.narrow(3, left, width).copy_(x_BCHW);
        reflect(middle, 3, left, width, right);
        reflect(wide, 2, above, height, below);
        if (of.zeros[0] > 0)
            padded.narrow(2, rows, of.zeros[0]).zero_();
        if (of.zeros[1] > 0)
            padded.narrow(3, columns, of.zeros[1]).zero_();
        return padded;
    }

    static torch::autograd::variable_list backward(
        torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients)
    {
        const std::vector<int64_t> sides = context->saved_data["sides"].toIntVector();
        const std::vector<int64_t> sizes = context->saved_data["sizes"].toIntVector();
        const auto type = static_cast<at::ScalarType>(context->saved_data["type"].toInt());
        const torch::Tensor own = gradients.front()
                                      .narrow(2, 0, sides[2] + sizes[0] + sides[3])
                                      .narrow(3, 0, sides[0] + sizes[1] + sides[1])
                                      .to(type, /*non_blocking=*/false, /*copy=*/true);
        const torch::Tensor rows = folded(own, 2, sides[2], sizes[0], sides[3]);
        return { folded(rows, 3, sides[0], sizes[1], sides[1]), {} };
    }
};

/// What conv2d would make of it under autocast, so that the copy is made in it.
at::ScalarType typeOf(const torch::Tensor& x)
{
    const at::DeviceType device = x.device().type();
    const bool isCast = at::autocast::is_autocast_enabled(device) && x.scalar_type() != at::kDouble;
    return isCast ? at::autocast::get_autocast_dtype(device) : x.scalar_type();
}

/// Tensor cores want the channels side by side, and true float32 does not use them. One channel is
/// the same memory in both layouts.
at::MemoryFormat formatOf(const torch::Tensor& x_BCHW, at::ScalarType type)
{
    const bool isOfCores = type == at::kHalf || type == at::kBFloat16
        || (type == at::kFloat && at::globalContext().allowTF32CuDNN());
    return isOfCores && x_BCHW.size(1) > 1 ? x_BCHW.suggest_memory_format()
                                           : at::MemoryFormat::Contiguous;
}

void checkReflected(const torch::Tensor& x_BCHW, const std::array<int64_t, 4>& sides)
{
    for (size_t i = 0; i < sides.size(); ++i)
        TORCH_CHECK(sides[i] == 0 || sides[i] < x_BCHW.size(i < 2 ? 3 : 2), "padding of ", sides[i],
            " needs a longer dimension: input has ", x_BCHW.sizes());
}

torch::Tensor padded(
    const torch::Tensor& x_BCHW, const RoundedConvolution& of, std::array<int64_t, 2> zeros)
{
    const at::ScalarType type = typeOf(x_BCHW);
    const bool hasSides = std::ranges::any_of(of.sides, [](int64_t side) { return side != 0; });
    if (hasSides && of.mode == "reflect") {
        checkReflected(x_BCHW, of.sides);
        return ReflectedInput::apply(
            x_BCHW, ReflectedSides { of.sides, zeros, type, formatOf(x_BCHW, type) });
    }
    torch::Tensor x = x_BCHW.to(type);
    std::array<int64_t, 4> constant { 0, zeros[1], 0, zeros[0] };
    if (hasSides && of.mode != "constant")
        x = at::pad(x, of.sides, of.mode);
    else
        std::ranges::transform(constant, of.sides, constant.begin(), std::plus<>());
    return std::ranges::all_of(constant, [](int64_t side) { return side == 0; })
        ? x
        : at::constant_pad_nd(x, constant);
}

} // namespace

int64_t roundedFrames(int64_t frames)
{
    const auto step = std::max<int64_t>(
        kLeastStep, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(frames) / kSteps)));
    return (frames + step - 1) / step * step;
}

torch::Tensor convolvedRounded(const torch::Tensor& x_BCHW, const RoundedConvolution& of)
{
    const auto axis = static_cast<size_t>(of.timeDim - 2);
    const size_t before = axis == 0 ? 2 : 0;
    const int64_t frames = x_BCHW.size(of.timeDim) + of.sides[before] + of.sides[before + 1];
    const int64_t reach = of.dilation[axis] * (of.weight.size(of.timeDim) - 1) + 1;
    const int64_t room = frames + 2 * of.padding[axis] - reach;
    std::array<int64_t, 2> zeros {};
    if (room >= 0) // else conv2d says what is wrong
        zeros[axis] = roundedFrames(frames) - frames;
    const torch::Tensor output = torch::conv2d(padded(x_BCHW, of, zeros), of.weight, of.bias,
        of.stride, of.padding, of.dilation, of.groups);
    return output.narrow(of.timeDim, 0, room / of.stride[axis] + 1);
}

} // namespace earwright::model
