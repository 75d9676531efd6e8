#include "core/model/conv_encoder.h"

#include "core/model/convolution.h"
#include "core/model/dropout.h"
#include "core/model/masks.h"
#include "core/model/normalization.h"

namespace earwright::model {

namespace {

constexpr int64_t kFrontKernel = 5;

/// Zero padding inside the convolution itself: no padded copy.
std::shared_ptr<Layer> convolution(int64_t inputs, int64_t outputs, int64_t kernel, int64_t stride)
{
    catalog::Conv1dConfig config;
    config.outChannels = outputs;
    config.kernelSize = kernel;
    config.inChannels = inputs;
    config.stride = stride;
    config.padding = "valid";
    config.defaultPadding = kernel / 2;
    return std::make_shared<Conv1d>(config);
}

std::shared_ptr<Layer> normalization(const std::string& kind, int64_t channels)
{
    if (kind != "batchnorm")
        return makeLayerNorm({ channels });
    catalog::BatchNorm1dConfig config;
    config.inputSize = channels;
    config.combineBatchTime = true; // the faster kernel
    return std::make_shared<BatchNorm1d>(config);
}

/// Strides whose product is `subsampling`: twos, then what is left.
std::vector<int64_t> strides(int64_t subsampling)
{
    std::vector<int64_t> result;
    for (; subsampling % 2 == 0; subsampling /= 2)
        result.push_back(2);
    if (subsampling > 1 || result.empty())
        result.push_back(subsampling);
    return result;
}

/// Padding as zeros: longer rows beside it change a row by a frame at its end at most.
torch::Tensor withoutPadding(const torch::Tensor& x_BTF, const torch::Tensor& lengths_B)
{
    return lengths_B.defined() ? x_BTF * paddingMask(lengths_B, x_BTF.size(1), x_BTF).unsqueeze(2)
                               : x_BTF;
}

class FrontLayer final : public Layer {
public:
    FrontLayer(
        int64_t inputs, int64_t outputs, int64_t stride, const catalog::ConvEncoderConfig& config)
        : m_conv(register_module("conv", convolution(inputs, outputs, kFrontKernel, stride)))
    {
        if (config.normalizeEnds)
            m_norm = register_module("norm", normalization(config.normalization, outputs));
    }

    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B) override
    {
        const torch::Tensor x = m_conv->forward(withoutPadding(input, lengths_B));
        return torch::gelu(m_norm ? m_norm->forward(x) : x);
    }

private:
    std::shared_ptr<Layer> m_conv;
    std::shared_ptr<Layer> m_norm; ///< null = none
};

class ResidualBlock final : public Layer {
public:
    explicit ResidualBlock(const catalog::ConvEncoderConfig& config)
        : m_norm(register_module("norm", normalization(config.normalization, config.channels)))
        , m_conv(register_module(
              "conv", convolution(config.channels, config.channels, config.kernelSize, 1)))
        , m_dropout(register_module("dropout", std::make_shared<Dropout>(config.dropout)))
    {
        if (config.pointwise)
            m_pointwise
                = register_module("pointwise", convolution(config.channels, config.channels, 1, 1));
    }

    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B) override
    {
        const torch::Tensor found
            = torch::gelu(m_conv->forward(withoutPadding(m_norm->forward(input), lengths_B)));
        return input + m_dropout->forward(m_pointwise ? m_pointwise->forward(found) : found);
    }

private:
    std::shared_ptr<Layer> m_norm;
    std::shared_ptr<Layer> m_conv;
    std::shared_ptr<Layer> m_dropout;
    std::shared_ptr<Layer> m_pointwise; ///< null = none
};

} // namespace

ConvEncoder::ConvEncoder(const catalog::ConvEncoderConfig& config)
    : m_isMasked(config.maskPadding)
    , m_front(register_module("front", std::make_shared<Sequential>()))
    , m_blocks(register_module("blocks", std::make_shared<Sequential>()))
{
    TORCH_CHECK(config.kernelSize % 2 == 1, "kernel_size must be odd");
    if (config.normalizeEnds && config.normalization == "layernorm")
        m_norm = register_module("norm", makeLayerNorm({ config.channels }));
    const std::vector<int64_t> steps = strides(config.subsampling);
    int64_t inputs = config.inputSize;
    for (size_t step = 0; step < steps.size(); ++step) {
        const int64_t outputs = step + 1 == steps.size() ? config.channels : config.frontChannels;
        m_front->append(std::make_shared<FrontLayer>(inputs, outputs, steps[step], config));
        inputs = outputs;
    }
    for (int64_t block = 0; block < config.blocks; ++block)
        m_blocks->append(std::make_shared<ResidualBlock>(config));
}

torch::Tensor ConvEncoder::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    if (!m_isMasked)
        lengths_B = torch::Tensor();
    else if (lengths_B.defined())
        lengths_B = lengths_B.to(input.device(), true);
    for (const auto& part : { m_front, m_blocks })
        for (const Sequential::Entry& entry : part->entries())
            input = entry.layer->forward(std::move(input), lengths_B);
    return m_norm ? m_norm->forward(input) : input;
}

} // namespace earwright::model
