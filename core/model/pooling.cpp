#include "core/model/pooling.h"

namespace earwright::model {

namespace {

struct Window {
    std::array<int64_t, 2> kernel; ///< time, features
    std::array<int64_t, 2> stride;
    std::array<int64_t, 2> padding;
    std::array<int64_t, 2> dilation;
    bool ceilMode;
    bool average;
};

/// [B, T, F, C] seen as [B, C, T, F]: that is the channels-last layout, so nothing is copied.
torch::Tensor pool(const torch::Tensor& x_BTFC, const Window& window)
{
    torch::Tensor x = x_BTFC.permute({ 0, 3, 1, 2 });
    // There avg_pool2d's backward of channels-last tensors is wrong (seen with LibTorch 2.11).
    if (window.average && x.is_cuda())
        x = x.contiguous();
    const torch::Tensor pooled = window.average
        ? torch::avg_pool2d(x, window.kernel, window.stride, window.padding, window.ceilMode)
        : torch::max_pool2d(
            x, window.kernel, window.stride, window.padding, window.dilation, window.ceilMode);
    return pooled.permute({ 0, 2, 3, 1 });
}

} // namespace

Pooling1d::Pooling1d(const catalog::Pooling1dConfig& config)
    : m_config(config)
{
    TORCH_CHECK(config.inputDims == 3 || config.inputDims == 4, "input_dims is 3 or 4");
    TORCH_CHECK(
        config.poolAxis == 1 || config.poolAxis == 2, "pool_axis is 1 (time) or 2 (features)");
}

torch::Tensor Pooling1d::forward(torch::Tensor input, torch::Tensor)
{
    TORCH_CHECK(input.dim() == 3 || input.dim() == m_config.inputDims, "Pooling1d was made for ",
        m_config.inputDims, "-d input");
    const bool overTime = m_config.poolAxis == 1;
    const auto along = [&](int64_t value, int64_t other) {
        return overTime ? std::array { value, other } : std::array { other, value };
    };
    const Window window { along(m_config.kernelSize, 1),
        along(m_config.stride.value_or(m_config.kernelSize), 1), along(m_config.padding, 0),
        along(m_config.dilation, 1), m_config.ceilMode, m_config.poolType == "avg" };
    if (input.dim() == 4)
        return pool(input, window);
    // Over time the features are as good as channels, and many channels vectorise.
    return overTime ? pool(input.unsqueeze(2), window).squeeze(2)
                    : pool(input.unsqueeze(3), window).squeeze(3);
}

Pooling2d::Pooling2d(const catalog::Pooling2dConfig& config)
    : m_config(config)
{
    TORCH_CHECK(config.poolAxis == std::vector<int64_t>({ 1, 2 }),
        "pool_axis other than [1, 2] is not available");
    TORCH_CHECK(config.kernelSize.size() == 1 || config.kernelSize.size() == 2,
        "kernel_size is one or two numbers");
}

torch::Tensor Pooling2d::forward(torch::Tensor input, torch::Tensor)
{
    const std::array kernel { m_config.kernelSize.front(), m_config.kernelSize.back() };
    const std::array stride { m_config.stride.value_or(kernel[0]),
        m_config.stride.value_or(kernel[1]) };
    const Window window { kernel, stride, { m_config.padding, m_config.padding }, { 1, 1 },
        m_config.ceilMode, m_config.poolType == "avg" };
    return input.dim() == 4 ? pool(input, window) : pool(input.unsqueeze(3), window).squeeze(3);
}

} // namespace earwright::model
