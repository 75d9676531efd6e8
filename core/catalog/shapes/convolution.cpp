#include "core/catalog/argument_value.h"
#include "core/catalog/configs.h"
#include "core/catalog/given.h"
#include "core/catalog/read.h"
#include "core/catalog/shape_rules.h"

namespace earwright::catalog {

namespace {

using recipe::Node;

template <class Config>
Config read(const Node& node)
{
    std::vector<recipe::Diagnostic> reportedElsewhere;
    return readConfig<Config>(node, reportedElsewhere);
}

/// One dimension of a convolution or pooling.
struct Window {
    int64_t kernel = 1;
    int64_t stride = 1;
    int64_t padding = 0; ///< on each side
    int64_t dilation = 1;

    int64_t outputs(int64_t size) const
    {
        const int64_t room = size + 2 * padding - dilation * (kernel - 1) - 1;
        return stride > 0 && room >= 0 ? room / stride + 1 : 0;
    }
};

bool isConv1d(const recipe::NodePtr& module)
{
    return module && classOf(*module).ends_with(".CNN.Conv1d");
}

/// One axis of an upstream convolution. "same" keeps the size for a stride of 1 only, else it pads
/// by half the kernel, whatever the dilation.
int64_t convolved(int64_t size, Window window, const std::string& padding)
{
    const int64_t reach = window.dilation * (window.kernel - 1);
    if (padding == "same")
        window.padding = window.stride > 1 ? window.kernel / 2 : reach / 2;
    return window.outputs(padding == "causal" ? size + reach : size);
}

/// A block's last layer has its stride, over time and features; the others keep the size.
FrameShape convolutionFrontEnd(const Node& node, const FrameShape& input)
{
    const auto config = read<ConvolutionFrontEndConfig>(node);
    const auto numBlocks = static_cast<size_t>(config.numBlocks);
    if (numBlocks == 0 || config.outChannels.size() < numBlocks)
        return {};
    const int64_t channels = config.outChannels[numBlocks - 1];
    if (isConv1d(config.convModule))
        return { channels };
    const bool isPlain = input.size() == 1 && !config.convModule && config.padding == "same";
    if (!isPlain || !config.misfits().empty())
        return {};
    int64_t features = input[0];
    for (size_t block = 0; block < numBlocks; ++block) {
        const Window last { .kernel = config.kernelSizes[block],
            .stride = config.strides[block],
            .dilation = config.dilations[block] };
        features = convolved(features, last, config.padding);
    }
    return { features, channels };
}

FrameShape latentExtractor(const Node& node, const FrameShape&)
{
    const auto config = read<W2VLatentExtractorConfig>(node);
    return config.outChannels.empty() ? FrameShape() : FrameShape { config.outChannels.back() };
}

FrameShape conv1d(const Node& node, const FrameShape&)
{
    const auto config = read<Conv1dConfig>(node);
    return config.skipTranspose ? FrameShape() : FrameShape { config.outChannels };
}

FrameShape conv2d(const Node& node, const FrameShape& input)
{
    const auto config = read<Conv2dConfig>(node);
    const bool isPlain = !config.swap && !config.skipTranspose;
    if (!isPlain || input.empty() || config.kernelSize.empty() || config.stride.empty()
        || config.dilation.empty())
        return {};
    // Upstream convolves over [batch, channels, features, time], whatever its docstring says.
    const Window window { .kernel = config.kernelSize.front(),
        .stride = config.stride.front(),
        .dilation = config.dilation.front() };
    return { convolved(input.front(), window, config.padding), config.outChannels };
}

FrameShape outChannels(const Node& node, const FrameShape&)
{
    return { Given(node).integer("out_channels") };
}

/// A complex or quaternion layer gives its parts side by side.
template <int64_t kParts>
FrameShape outChannelsInParts(const Node& node, const FrameShape&)
{
    return { Given(node).integer("out_channels") * kParts };
}

template <class Config>
FrameShape pooled(const Config& config, int64_t kernel, int64_t dilation, FrameShape shape)
{
    if (config.ceilMode || shape.empty())
        return {};
    shape.front() = Window { .kernel = kernel,
        .stride = config.stride.value_or(kernel),
        .padding = config.padding,
        .dilation = dilation }
                        .outputs(shape.front());
    return shape;
}

FrameShape pooling1d(const Node& node, const FrameShape& input)
{
    const auto config = read<Pooling1dConfig>(node);
    const int64_t dilation = config.poolType == "max" ? config.dilation : 1;
    return config.poolAxis == 1 ? input : pooled(config, config.kernelSize, dilation, input);
}

/// Upstream does not hand its dilation on.
FrameShape pooling2d(const Node& node, const FrameShape& input)
{
    const auto config = read<Pooling2dConfig>(node);
    return config.kernelSize.empty() ? FrameShape()
                                     : pooled(config, config.kernelSize.back(), 1, input);
}

/// Two convolutions that keep the size, then pooling over the features.
FrameShape cnnBlock(const Node& node, const FrameShape& input)
{
    const Given given(node);
    const int64_t pool = given.integer("pooling_size");
    if (input.empty() || pool < 1)
        return {};
    return { input.front() / pool, given.integer("channels") };
}

FrameShape crdnn(const Node& node, const FrameShape&)
{
    const auto config = read<CrdnnConfig>(node);
    if (config.dnnBlocks > 0)
        return { config.dnnNeurons };
    const bool endsRecurrent = config.rnnLayers > 0 && !config.useRnnp;
    return endsRecurrent ? FrameShape { config.rnnNeurons * (config.rnnBidirectional ? 2 : 1) }
                         : FrameShape();
}

} // namespace

void addConvolutionShapes(ShapeRules& rules)
{
    rules.insert({
        { "earwright.models.ConvEncoder", { [](const Node& n, const FrameShape&) {
             return FrameShape { read<ConvEncoderConfig>(n).channels };
         } } },
        { "speechbrain.lobes.models.CRDNN.CNN_Block", { cnnBlock } },
        { "speechbrain.lobes.models.CRDNN.CRDNN", { crdnn } },
        { "speechbrain.lobes.models.convolution.ConvolutionFrontEnd", { convolutionFrontEnd } },
        { "speechbrain.lobes.models.wav2vec.W2VLatentExtractor", { latentExtractor } },
        { "speechbrain.nnet.CNN.Conv1d", { conv1d, "in_channels" } },
        { "speechbrain.nnet.CNN.Conv2d", { conv2d, "in_channels" } },
        { "speechbrain.nnet.CNN.DepthwiseSeparableConv1d", { outChannels } },
        { "speechbrain.nnet.complex_networks.c_CNN.CConv1d", { outChannelsInParts<2> } },
        { "speechbrain.nnet.quaternion_networks.q_CNN.QConv1d", { outChannelsInParts<4> } },
        { "speechbrain.nnet.pooling.Pooling1d", { pooling1d } },
        { "speechbrain.nnet.pooling.Pooling2d", { pooling2d } },
    });
}

} // namespace earwright::catalog
