#include "core/model/conv_front_end.h"

#include "core/model/activation.h"
#include "core/model/convolution.h"
#include "core/model/dropout.h"
#include "core/model/layer_table.h"
#include "core/model/linear.h"
#include "core/model/normalization.h"

namespace earwright::model {

namespace {

using catalog::ConvolutionFrontEndConfig;
using catalog::Shape;

/// What a block needs of the recipe, and the size of what it takes.
struct Builder {
    const ConvolutionFrontEndConfig& config;
    size_t block = 0;
    bool twoDimensional = true;
    int64_t features = 0;
    int64_t channels = 0; ///< 0: the input has none yet

    void appendConvolution(Sequential& layers, const std::string& name, int64_t kernel,
        int64_t stride, int64_t dilation, bool plain);
    void appendNorm(Sequential& layers, const std::string& name) const;

    template <class Config>
    Config convolution(bool plain) const;
    template <class Norm, class Config>
    std::shared_ptr<Layer> batchNorm() const;
};

int64_t outputSize(
    int64_t inputs, int64_t kernel, int64_t stride, int64_t dilation, const std::string& padding)
{
    int64_t total = 0;
    if (padding == "same")
        total = stride > 1 ? 2 * (kernel / 2) : 2 * (dilation * (kernel - 1) / 2);
    else if (padding == "causal")
        total = dilation * (kernel - 1);
    return (inputs + total - dilation * (kernel - 1) - 1) / stride + 1;
}

/// `plain`: the residual branch, which leaves bias, padding and initialisation to the class.
template <class Config>
Config Builder::convolution(bool plain) const
{
    auto conv = ownArguments<Config>(config.convModule);
    conv.outChannels = config.outChannels[block];
    if (!plain) {
        conv.padding = config.padding;
        conv.bias = config.convBias;
        conv.convInit = config.convInit;
    }
    return conv;
}

void Builder::appendConvolution(Sequential& layers, const std::string& name, int64_t kernel,
    int64_t stride, int64_t dilation, bool plain)
{
    if (!twoDimensional) {
        auto conv = convolution<catalog::Conv1dConfig>(plain);
        conv.kernelSize = kernel;
        conv.inChannels = features;
        conv.stride = stride;
        conv.dilation = dilation;
        layers.append(name, std::make_shared<Conv1d>(conv));
        features = conv.outChannels;
        return;
    }
    auto conv = convolution<catalog::Conv2dConfig>(plain);
    conv.kernelSize = { kernel };
    if (channels > 0)
        conv.inChannels = channels;
    else
        conv.inputShape = Shape { std::nullopt, std::nullopt, features };
    conv.stride = { stride };
    conv.dilation = { dilation };
    layers.append(name, std::make_shared<Conv2d>(conv));
    const bool padsTimeAlone = conv.swap && conv.padding == "causal";
    features
        = outputSize(features, kernel, stride, dilation, padsTimeAlone ? "valid" : conv.padding);
    channels = conv.outChannels;
}

/// Over the last dimension.
template <class Norm, class Config>
std::shared_ptr<Layer> Builder::batchNorm() const
{
    auto norm = ownArguments<Config>(config.norm);
    const int64_t size = twoDimensional ? channels : features;
    TORCH_CHECK(norm.inputSize.value_or(size) == size, "input_size of norm is ", *norm.inputSize,
        ", but the convolution before it gives ", size);
    norm.inputSize = size;
    norm.inputShape.reset();
    if constexpr (requires { norm.combineBatchTime; }) {
        TORCH_CHECK(!twoDimensional || norm.combineBatchTime,
            "norm BatchNorm1d needs combine_batch_time: True behind a Conv2d");
    } else {
        TORCH_CHECK(twoDimensional, "norm BatchNorm2d needs a Conv2d as conv_module");
    }
    return std::make_shared<Norm>(norm);
}

void Builder::appendNorm(Sequential& layers, const std::string& name) const
{
    const std::string className = classOf(config.norm, "speechbrain.nnet.normalization.LayerNorm");
    if (className == "speechbrain.nnet.normalization.LayerNorm") {
        auto norm = ownArguments<catalog::LayerNormConfig>(config.norm);
        norm.inputSize
            = twoDimensional ? std::vector { features, channels } : std::vector { features };
        norm.inputShape.reset();
        layers.append(name, std::make_shared<LayerNorm>(norm));
    } else if (className == "speechbrain.nnet.normalization.BatchNorm2d") {
        layers.append(name, batchNorm<BatchNorm2d, catalog::BatchNorm2dConfig>());
    } else {
        TORCH_CHECK(className == "speechbrain.nnet.normalization.BatchNorm1d", "norm '", className,
            "' is none of LayerNorm, BatchNorm1d and BatchNorm2d of "
            "speechbrain.nnet.normalization");
        layers.append(name, batchNorm<BatchNorm1d, catalog::BatchNorm1dConfig>());
    }
}

std::shared_ptr<ConvBlock> buildBlock(Builder& builder)
{
    const ConvolutionFrontEndConfig& config = builder.config;
    const size_t block = builder.block;
    const bool normalised = config.norm == nullptr || !recipe::isNull(*config.norm);
    Builder residual = builder;
    auto convolutions = std::make_shared<Sequential>();
    for (int64_t layer = 0; layer < config.numLayersPerBlock; ++layer) {
        const std::string number = std::to_string(layer);
        const int64_t stride = layer == config.numLayersPerBlock - 1 ? config.strides[block] : 1;
        builder.appendConvolution(*convolutions, "conv_" + number, config.kernelSizes[block],
            stride, config.dilations[block], false);
        if (normalised)
            builder.appendNorm(*convolutions, "norm_" + number);
        convolutions->append(
            "act_" + number, makeActivation(config.activation, "torch.nn.LeakyReLU"));
        convolutions->append("dropout_" + number, std::make_shared<Dropout>(config.dropout));
    }
    std::shared_ptr<Sequential> reduction;
    if (config.residuals[block]) {
        TORCH_CHECK(normalised, "a residual block needs a norm");
        reduction = std::make_shared<Sequential>();
        residual.appendConvolution(*reduction, "conv", 1, config.strides[block], 1, true);
        residual.appendNorm(*reduction, "norm");
    }
    return std::make_shared<ConvBlock>(convolutions, reduction, config.dropout);
}

void checkLengths(const ConvolutionFrontEndConfig& config)
{
    const auto check = [&](const char* name, size_t size) {
        TORCH_CHECK(size >= static_cast<size_t>(config.numBlocks), name, " has ", size,
            " entries for ", config.numBlocks, " blocks");
    };
    check("out_channels", config.outChannels.size());
    check("kernel_sizes", config.kernelSizes.size());
    check("strides", config.strides.size());
    check("dilations", config.dilations.size());
    check("residuals", config.residuals.size());
}

} // namespace

ConvBlock::ConvBlock(
    std::shared_ptr<Sequential> convolutions, std::shared_ptr<Sequential> reduction, double dropout)
    : m_convolutions(register_module("convs", std::move(convolutions)))
    , m_reduction(std::move(reduction))
{
    if (m_reduction) {
        register_module("reduce_conv", m_reduction);
        m_dropout = register_module("drop", std::make_shared<Dropout>(dropout));
    }
}

torch::Tensor ConvBlock::forward(torch::Tensor input, torch::Tensor)
{
    const torch::Tensor output = m_convolutions->forward(input);
    return m_reduction ? m_dropout->forward(output + m_reduction->forward(input)) : output;
}

ConvolutionFrontEnd::ConvolutionFrontEnd(const ConvolutionFrontEndConfig& config)
{
    checkLengths(config);
    const std::string className = classOf(config.convModule, "speechbrain.nnet.CNN.Conv2d");
    const bool twoDimensional = className == "speechbrain.nnet.CNN.Conv2d";
    TORCH_CHECK(twoDimensional || className == "speechbrain.nnet.CNN.Conv1d", "conv_module '",
        className, "' is none of Conv1d and Conv2d of speechbrain.nnet.CNN");
    TORCH_CHECK(config.inputShape.size() == 3, "input_shape is [batch, time, features]");
    const auto isEven = [](int64_t size) { return size % 2 == 0; };
    const auto used = config.kernelSizes.begin() + config.numBlocks;
    TORCH_CHECK(config.padding == "valid" || std::none_of(config.kernelSizes.begin(), used, isEven),
        "kernel_sizes must be odd unless padding is 'valid'");
    Builder builder { config, 0, twoDimensional, inputFeatures({}, config.inputShape, 2), 0 };
    for (; builder.block < static_cast<size_t>(config.numBlocks); ++builder.block) {
        const std::string name = "convblock_" + std::to_string(builder.block);
        append(name, buildBlock(builder));
        TORCH_CHECK(builder.features > 0, name, " leaves no features");
    }
}

} // namespace earwright::model
