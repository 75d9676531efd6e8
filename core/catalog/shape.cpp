#include "core/catalog/shape.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs.h"
#include "core/catalog/read.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace kymo::catalog {

namespace {

using recipe::Node;
using recipe::NodePtr;

int64_t product(const FrameShape& shape)
{
    return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

template <class Config>
Config read(const Node& node)
{
    std::vector<recipe::Diagnostic> reportedElsewhere;
    return readConfig<Config>(node, reportedElsewhere);
}

// What each class gives, from its arguments and what arrives.

FrameShape same(const Node&, const FrameShape& input)
{
    return input;
}

FrameShape fbank(const Node& node, const FrameShape&)
{
    const auto config = read<FbankConfig>(node);
    const int64_t frames = config.context ? config.leftFrames + config.rightFrames + 1 : 1;
    return { config.nMels * (config.deltas ? 3 : 1) * frames };
}

/// The last layer of a block has its stride, over time and features; an even kernel pads otherwise.
FrameShape convolutionFrontEnd(const Node& node, const FrameShape& input)
{
    const auto config = read<ConvolutionFrontEndConfig>(node);
    const auto numBlocks = static_cast<size_t>(config.numBlocks);
    const bool isOdd = std::all_of(config.kernelSizes.begin(), config.kernelSizes.end(),
        [](int64_t size) { return size % 2 == 1; });
    if (input.size() != 1 || config.convModule || config.padding != "same" || !isOdd
        || config.strides.size() != numBlocks || config.outChannels.size() != numBlocks
        || numBlocks == 0)
        return {};
    int64_t features = input[0];
    for (const int64_t stride : config.strides)
        features = stride > 0 ? (features + stride - 1) / stride : features;
    return { features, config.outChannels.back() };
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

FrameShape conv1d(const Node& node, const FrameShape&)
{
    const auto config = read<Conv1dConfig>(node);
    return config.skipTranspose ? FrameShape() : FrameShape { config.outChannels };
}

/// Upstream's "same" keeps the size for a stride of 1 only, else it pads by half the kernel.
FrameShape conv2d(const Node& node, const FrameShape& input)
{
    const auto config = read<Conv2dConfig>(node);
    const bool isPlain = !config.swap && !config.skipTranspose && config.padding != "causal";
    if (!isPlain || input.empty() || config.kernelSize.empty() || config.stride.empty()
        || config.dilation.empty())
        return {};
    // Upstream convolves over [batch, channels, features, time], whatever its docstring says.
    Window window { .kernel = config.kernelSize.front(),
        .stride = config.stride.front(),
        .dilation = config.dilation.front() };
    if (config.padding == "same")
        window.padding
            = window.stride > 1 ? window.kernel / 2 : window.dilation * (window.kernel - 1) / 2;
    return { window.outputs(input.front()), config.outChannels };
}

template <class Config>
FrameShape pooled(const Config& config, int64_t kernel, FrameShape shape)
{
    const bool isMax = config.poolType == "max";
    if (config.ceilMode || shape.empty())
        return {};
    shape.front() = Window { .kernel = kernel,
        .stride = config.stride.value_or(kernel),
        .padding = config.padding,
        .dilation = isMax ? config.dilation : 1 }
                        .outputs(shape.front());
    return shape;
}

FrameShape pooling1d(const Node& node, const FrameShape& input)
{
    const auto config = read<Pooling1dConfig>(node);
    return config.poolAxis == 1 ? input : pooled(config, config.kernelSize, input);
}

FrameShape pooling2d(const Node& node, const FrameShape& input)
{
    const auto config = read<Pooling2dConfig>(node);
    return config.kernelSize.empty() ? FrameShape()
                                     : pooled(config, config.kernelSize.back(), input);
}

FrameShape crdnn(const Node& node, const FrameShape&)
{
    const auto config = read<CrdnnConfig>(node);
    return config.dnnBlocks > 0 ? FrameShape { config.dnnNeurons } : FrameShape();
}

template <class Config>
FrameShape recurrent(const Node& node, const FrameShape&)
{
    const auto config = read<Config>(node);
    return { config.hiddenSize * (config.bidirectional ? 2 : 1) };
}

FrameShape linear(const Node& node, const FrameShape& input)
{
    const auto config = read<LinearConfig>(node);
    FrameShape given = config.combineDims || input.empty() ? FrameShape { 0 } : input;
    given.back() = config.nNeurons;
    return given;
}

using Give = FrameShape (*)(const Node&, const FrameShape&);

const std::map<std::string_view, Give>& gives()
{
    static const std::map<std::string_view, Give> table {
        { "kymo.models.ConvEncoder",
            [](const Node& n, const FrameShape&) {
                return FrameShape { read<ConvEncoderConfig>(n).channels };
            } },
        { "speechbrain.lobes.features.Fbank", fbank },
        { "speechbrain.lobes.models.CRDNN.CRDNN", crdnn },
        { "speechbrain.lobes.models.VanillaNN.VanillaNN",
            [](const Node& n, const FrameShape&) {
                return FrameShape { read<VanillaNnConfig>(n).dnnNeurons };
            } },
        { "speechbrain.lobes.models.convolution.ConvolutionFrontEnd", convolutionFrontEnd },
        { "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR",
            [](const Node& n, const FrameShape&) {
                return FrameShape { read<TransformerAsrConfig>(n).dModel };
            } },
        { "speechbrain.nnet.CNN.Conv1d", conv1d },
        { "speechbrain.nnet.CNN.Conv2d", conv2d },
        { "speechbrain.nnet.RNN.GRU", recurrent<GruConfig> },
        { "speechbrain.nnet.RNN.LSTM", recurrent<LstmConfig> },
        { "speechbrain.nnet.RNN.LiGRU", recurrent<LiGruConfig> },
        { "speechbrain.nnet.RNN.RNN", recurrent<RnnConfig> },
        { "speechbrain.nnet.activations.Softmax", same },
        { "speechbrain.nnet.activations.Swish", same },
        { "speechbrain.nnet.dropout.Dropout2d", same },
        { "speechbrain.nnet.linear.Linear", linear },
        { "speechbrain.nnet.normalization.BatchNorm1d", same },
        { "speechbrain.nnet.normalization.BatchNorm2d", same },
        { "speechbrain.nnet.normalization.LayerNorm", same },
        { "speechbrain.nnet.pooling.Pooling1d", pooling1d },
        { "speechbrain.nnet.pooling.Pooling2d", pooling2d },
        { "speechbrain.processing.features.InputNormalization", same },
        { "torch.nn.Dropout", same },
        { "torch.nn.GELU", same },
        { "torch.nn.Identity", same },
        { "torch.nn.LeakyReLU", same },
        { "torch.nn.LogSoftmax", same },
        { "torch.nn.ReLU", same },
        { "torch.nn.SiLU", same },
        { "torch.nn.Sigmoid", same },
        { "torch.nn.Softmax", same },
        { "torch.nn.Tanh", same },
    };
    return table;
}

std::string_view canonicalName(const Node& node)
{
    const ClassInfo* info = findClass(classOf(node));
    return info ? std::string_view(info->name) : std::string_view();
}

/// An argument that nobody has given yet makes every number a guess.
bool isComplete(const Node& layer)
{
    return std::none_of(layer.entries.begin(), layer.entries.end(),
        [](const recipe::Entry& entry) { return isUndetermined(*entry.value); });
}

/// Of a frame of more than one dimension some layers look at the last one only.
bool takesLastOnly(const Node& layer, const std::string& argument)
{
    const std::string_view name = canonicalName(layer);
    if (name == "speechbrain.nnet.linear.Linear")
        return !read<LinearConfig>(layer).combineDims;
    const bool isWhole = name.ends_with(".LayerNorm") && argument == "input_shape";
    return name.starts_with("speechbrain.nnet.normalization.") && !isWhole;
}

/// `input_size: 80`, `input_shape: [null, null, 80]`.
void readTaken(const Node& layer, FrameRule& rule)
{
    if (const NodePtr size = recipe::find(layer, "input_size"); size && recipe::asInt(*size)) {
        rule.argument = "input_size";
        rule.taken = *recipe::asInt(*size);
        return;
    }
    const NodePtr shape = recipe::find(layer, "input_shape");
    if (!shape || recipe::isNull(*shape))
        return;
    rule.argument = "input_shape";
    const std::vector<NodePtr> items = listItems(*shape);
    rule.taken = items.size() < 3 ? 0 : 1;
    for (size_t i = takesLastOnly(layer, rule.argument) ? items.size() - 1 : 2;
         rule.taken > 0 && i < items.size(); ++i)
        rule.taken *= recipe::asInt(*items[i]).value_or(0);
}

} // namespace

FrameRule frameRule(const NodePtr& layer, const FrameShape& input)
{
    const std::string_view name = canonicalName(*layer);
    if (name.ends_with(".EncoderWrapper"))
        if (const NodePtr wrapped = recipe::find(*layer, "transformer"))
            return frameRule(wrapped, input);
    FrameRule rule { .layer = layer, .argument = {}, .given = {} };
    const bool isByPosition = layer->kind == recipe::Kind::Sequence;
    if (name.empty() || isByPosition || !isComplete(*layer))
        return rule;
    readTaken(*layer, rule);
    if (!input.empty())
        rule.arriving = takesLastOnly(*layer, rule.argument) ? input.back() : product(input);
    if (const auto give = gives().find(name); give != gives().end())
        rule.given = give->second(*layer, input);
    return rule;
}

std::vector<recipe::Entry> membersOf(const Node& layer)
{
    const std::string_view name = canonicalName(layer);
    std::vector<recipe::Entry> members;
    if (!name.starts_with("speechbrain.nnet.containers."))
        return members;
    for (const recipe::Entry& entry : layer.entries)
        if (!classOf(*entry.value).empty())
            members.push_back(entry);
    return members;
}

} // namespace kymo::catalog
