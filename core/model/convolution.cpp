#include "core/model/convolution.h"

#include "core/model/deterministic.h"
#include "core/model/rounded_convolution.h"

#include <array>
#include <torch/nn/init.h>
#include <torch/utils.h>

namespace earwright::model {

namespace {

// Note [Channels last]
// Recipes keep tensors as [batch, time, features, channels]. Seen as [batch, channels, time,
// features] that is PyTorch's channels-last layout, so convolution, padding and pooling read and
// write it in place of the two transposing copies a layer that upstream's [batch, channels,
// features, time] costs. Only the small weight is transposed.

using Pair = std::array<int64_t, 2>;

/// Padding of one axis: before and after.
struct Padding {
    int64_t before = 0;
    int64_t after = 0;
};

/// Upstream's 'same': with a stride it is kernel/2 whatever the dilation.
Padding samePadding(int64_t kernel, int64_t stride, int64_t dilation)
{
    const int64_t each = stride > 1 ? kernel / 2 : dilation * (kernel - 1) / 2;
    return { each, each };
}

torch::Tensor pad(
    const torch::Tensor& x_BCHW, Padding rows, Padding columns, const std::string& mode)
{
    const bool none = rows.before + rows.after + columns.before + columns.after == 0;
    const std::array sides { columns.before, columns.after, rows.before, rows.after };
    if (none)
        return x_BCHW;
    if (mode == "reflect")
        return reflectionPad(x_BCHW, sides);
    return at::pad(x_BCHW, sides, mode, mode == "constant" ? std::optional(0.0) : std::nullopt);
}

/// The convolution of what `rows` and `columns` are put around.
torch::Tensor convolved(const torch::Tensor& x_BCHW, Padding rows, Padding columns,
    const RoundedConvolution& convolution)
{
    if (x_BCHW.is_cuda()) {
        RoundedConvolution rounded = convolution;
        rounded.sides = { columns.before, columns.after, rows.before, rows.after };
        return convolvedRounded(x_BCHW, rounded);
    }
    return torch::conv2d(pad(x_BCHW, rows, columns, convolution.mode), convolution.weight,
        convolution.bias, convolution.stride, convolution.padding, convolution.dilation,
        convolution.groups);
}

Pair pairOf(const std::vector<int64_t>& numbers, const char* name)
{
    TORCH_CHECK(numbers.size() == 1 || numbers.size() == 2, name, " is one or two numbers");
    return { numbers.front(), numbers.back() };
}

Pair swapped(Pair pair)
{
    return { pair[1], pair[0] };
}

void initialise(torch::Tensor& weight, const std::optional<std::string>& how)
{
    if (how == "kaiming")
        torch::nn::init::kaiming_normal_(weight);
    else if (how == "zero")
        torch::nn::init::zeros_(weight);
}

/// Upstream looks at it where it reads an input_shape only; with in_channels the output of an even
/// kernel is shorter.
void checkOddKernel(
    const std::optional<int64_t>& inChannels, const std::string& padding, Pair kernel)
{
    TORCH_CHECK(inChannels || padding == "valid" || (kernel[0] % 2 == 1 && kernel[1] % 2 == 1),
        "the kernel size must be odd unless padding is 'valid' or in_channels is given");
}

int64_t channelsOf(const std::optional<int64_t>& given, const std::optional<catalog::Shape>& shape,
    size_t rank, size_t dim)
{
    if (given)
        return *given;
    TORCH_CHECK(shape && (shape->size() == rank || shape->size() == rank - 1),
        "in_channels or an input_shape of ", rank - 1, " or ", rank, " entries is needed");
    if (shape->size() == rank - 1)
        return 1;
    TORCH_CHECK((*shape)[dim].has_value(), "entry ", dim + 1,
        " of input_shape is null, but it sets the number of weights");
    return *(*shape)[dim];
}

} // namespace

Conv1d::Conv1d(const catalog::Conv1dConfig& config)
    : m_config(config)
    , m_inputIs2d(!config.inChannels && config.inputShape && config.inputShape->size() == 2)
{
    checkOddKernel(config.inChannels, config.padding, { config.kernelSize, config.kernelSize });
    const int64_t channels
        = channelsOf(config.inChannels, config.inputShape, 3, config.skipTranspose ? 1 : 2);
    m_conv = register_module("conv",
        torch::nn::Conv1d(torch::nn::Conv1dOptions(channels, config.outChannels, config.kernelSize)
                              .groups(config.groups)
                              .bias(config.bias)));
    initialise(m_conv->weight, config.convInit);
    if (config.convInit == "normal") // which upstream's Conv2d passes over
        torch::nn::init::normal_(m_conv->weight, 0, 1e-6);
}

torch::Tensor Conv1d::forward(torch::Tensor input, torch::Tensor)
{
    if (m_inputIs2d)
        input = input.unsqueeze(-1);
    else if (m_config.skipTranspose)
        input = input.transpose(1, 2);
    Padding padding;
    if (m_config.padding == "same")
        padding = samePadding(m_config.kernelSize, m_config.stride, m_config.dilation);
    else if (m_config.padding == "causal")
        padding = { (m_config.kernelSize - 1) * m_config.dilation, 0 };
    const std::string mode = m_config.padding == "causal" ? "constant" : m_config.paddingMode;
    const RoundedConvolution convolution { .weight = m_conv->weight.unsqueeze(2),
        .bias = m_conv->bias,
        .stride = { 1, m_config.stride },
        .padding = { 0, m_config.defaultPadding },
        .dilation = { 1, m_config.dilation },
        .groups = m_config.groups,
        .mode = mode,
        .timeDim = 3 };
    const torch::Tensor output
        = convolved(input.transpose(1, 2).unsqueeze(2), {}, padding, convolution).squeeze(2);
    if (m_inputIs2d && output.size(1) == 1)
        return output.squeeze(1);
    return m_config.skipTranspose ? output : output.transpose(1, 2);
}

Conv2d::Conv2d(const catalog::Conv2dConfig& config)
    : m_config(config)
    , m_inputIs3d(!config.inChannels && config.inputShape && config.inputShape->size() == 3)
    , m_timeFirst(config.swap || config.skipTranspose)
{
    const Pair kernel = pairOf(config.kernelSize, "kernel_size");
    checkOddKernel(config.inChannels, config.padding, kernel);
    const int64_t channels = channelsOf(config.inChannels, config.inputShape, 4, 3);
    m_conv = register_module("conv",
        torch::nn::Conv2d(
            torch::nn::Conv2dOptions(channels, config.outChannels, torch::ExpandingArray<2>(kernel))
                .groups(config.groups)
                .bias(config.bias)));
    initialise(m_conv->weight, config.convInit);
}

torch::Tensor Conv2d::forward(torch::Tensor input, torch::Tensor)
{
    if (m_config.skipTranspose)
        return convolve(input);
    if (m_inputIs3d)
        input = input.unsqueeze(-1);
    const torch::Tensor output = convolve(input.permute({ 0, 3, 1, 2 })).permute({ 0, 2, 3, 1 });
    return m_inputIs3d && output.size(3) == 1 ? output.squeeze(3) : output;
}

torch::Tensor Conv2d::convolve(const torch::Tensor& x_BCTF)
{
    if (m_config.maxNorm) {
        const torch::NoGradGuard noGrad;
        m_conv->weight.copy_(torch::renorm(m_conv->weight, 2, 0, *m_config.maxNorm));
    }
    const Pair kernel = pairOf(m_config.kernelSize, "kernel_size");
    const Pair stride = pairOf(m_config.stride, "stride");
    const Pair dilation = pairOf(m_config.dilation, "dilation");
    // `first` is the axis of kernel_size[0]: features, unless the recipe swaps.
    Padding first;
    Padding second;
    std::string mode = m_config.paddingMode;
    if (m_config.padding == "same") {
        first = samePadding(kernel[0], stride[0], dilation[0]);
        second = samePadding(kernel[1], stride[1], dilation[1]);
    } else if (m_config.padding == "causal") {
        first = { (kernel[0] - 1) * dilation[1], 0 };
        mode = "constant";
    }
    if (m_timeFirst)
        return convolved(x_BCTF, first, second,
            { .weight = m_conv->weight,
                .bias = m_conv->bias,
                .stride = stride,
                .dilation = dilation,
                .groups = m_config.groups,
                .mode = mode });
    return convolved(x_BCTF, second, first,
        { .weight = m_conv->weight.transpose(2, 3),
            .bias = m_conv->bias,
            .stride = swapped(stride),
            .dilation = swapped(dilation),
            .groups = m_config.groups,
            .mode = mode });
}

} // namespace earwright::model
