#include "core/model/crdnn.h"

#include "core/catalog/configs/recurrent.h"
#include "core/model/activation.h"
#include "core/model/convolution.h"
#include "core/model/dropout.h"
#include "core/model/layer_table.h"
#include "core/model/light_gru.h"
#include "core/model/linear.h"
#include "core/model/normalization.h"
#include "core/model/pooling.h"
#include "core/model/recurrent.h"

namespace earwright::model {

namespace {

using catalog::CrdnnConfig;
using catalog::Shape;

constexpr const char* kLeakyRelu = "torch.nn.LeakyReLU";
constexpr const char* kLiGru = "speechbrain.nnet.RNN.LiGRU";

std::shared_ptr<Layer> maxPool1d(int64_t size, int64_t axis)
{
    catalog::Pooling1dConfig pool;
    pool.poolType = "max";
    pool.kernelSize = size;
    pool.inputDims = 4;
    pool.poolAxis = axis;
    return std::make_shared<Pooling1d>(pool);
}

std::shared_ptr<Layer> blockPool(const CrdnnConfig& config, int64_t size)
{
    if (!config.using2dPooling)
        return maxPool1d(size, 2);
    catalog::Pooling2dConfig pool;
    pool.poolType = "max";
    pool.kernelSize = { size, size };
    return std::make_shared<Pooling2d>(pool);
}

std::shared_ptr<Sequential> convolutionBlock(
    const CrdnnConfig& config, size_t block, int64_t features, int64_t channels)
{
    const int64_t outChannels = config.cnnChannels[block];
    auto layers = std::make_shared<Sequential>();
    for (const char* number : { "1", "2" }) {
        catalog::Conv2dConfig conv;
        conv.outChannels = outChannels;
        conv.kernelSize = config.cnnKernelsize;
        conv.inChannels = channels;
        // Without channels yet, the input is 3-d and the layer adds the dimension.
        if (channels == 0) {
            conv.inChannels.reset();
            conv.inputShape = Shape { std::nullopt, std::nullopt, features };
        }
        layers->append(std::string("conv_") + number, std::make_shared<Conv2d>(conv));
        layers->append(std::string("norm_") + number, makeLayerNorm({ features, outChannels }));
        layers->append(std::string("act_") + number, makeActivation(config.activation, kLeakyRelu));
        channels = outChannels;
    }
    layers->append("pooling", blockPool(config, config.interLayerPoolingSize[block]));
    layers->append("drop", std::make_shared<Dropout2d>(config.dropout));
    return layers;
}

/// Without a dropout it is the class's own.
template <class LayerType, class Config>
std::shared_ptr<Layer> recurrentOf(
    const CrdnnConfig& config, int64_t inputs, int64_t numLayers, std::optional<double> dropout)
{
    auto rnn = ownArguments<Config>(config.rnnClass);
    rnn.hiddenSize = config.rnnNeurons;
    rnn.inputShape = Shape { std::nullopt, std::nullopt, inputs };
    rnn.numLayers = numLayers;
    rnn.dropout = dropout.value_or(rnn.dropout);
    rnn.reInit = config.rnnReInit;
    rnn.bidirectional = config.rnnBidirectional;
    if constexpr (requires { rnn.inputSize; })
        TORCH_CHECK(rnn.inputSize.value_or(inputs) == inputs, "input_size of rnn_class is ",
            *rnn.inputSize, ", but ", inputs, " features reach it");
    return std::make_shared<LayerType>(rnn);
}

/// A recurrent layer of the class the recipe names.
std::shared_ptr<Layer> recurrent(
    const CrdnnConfig& config, int64_t inputs, int64_t numLayers, std::optional<double> dropout)
{
    const std::string className = classOf(config.rnnClass, kLiGru);
    const bool isLiGru = className == canonicalClass(kLiGru);
    const bool isLstm = className == "speechbrain.nnet.RNN.LSTM";
    const bool isGru = className == "speechbrain.nnet.RNN.GRU";
    TORCH_CHECK(isLiGru || isLstm || isGru || className == "speechbrain.nnet.RNN.RNN",
        "rnn_class '", className, "' is none of LSTM, GRU, RNN and LiGRU of speechbrain.nnet.RNN");
    const auto make = isLiGru ? recurrentOf<LightGru, catalog::LiGruConfig>
        : isLstm              ? recurrentOf<Recurrent, catalog::LstmConfig>
        : isGru               ? recurrentOf<Recurrent, catalog::GruConfig>
                              : recurrentOf<Recurrent, catalog::RnnConfig>;
    return make(config, inputs, numLayers, dropout);
}

void checkLengths(const CrdnnConfig& config)
{
    const auto blocks = static_cast<size_t>(config.cnnBlocks);
    TORCH_CHECK(config.cnnChannels.size() >= blocks, "cnn_channels has ", config.cnnChannels.size(),
        " numbers for ", blocks, " cnn_blocks");
    TORCH_CHECK(config.interLayerPoolingSize.size() >= blocks, "inter_layer_pooling_size has ",
        config.interLayerPoolingSize.size(), " numbers for ", blocks, " cnn_blocks");
}

} // namespace

Crdnn::Crdnn(const CrdnnConfig& config)
    : m_features(inputFeatures(config.inputSize, config.inputShape, 2))
{
    checkLengths(config);
    if (config.cnnBlocks > 0)
        appendConvolutions(config);
    if (config.timePooling)
        append("time_pooling", maxPool1d(config.timePoolingSize, 1));
    if (config.projectionDim != -1)
        appendProjection(config);
    if (config.rnnLayers > 0)
        appendRecurrent(config);
    if (config.dnnBlocks > 0)
        appendLinear(config);
}

void Crdnn::appendConvolutions(const CrdnnConfig& config)
{
    auto blocks = std::make_shared<Sequential>();
    for (size_t block = 0; block < static_cast<size_t>(config.cnnBlocks); ++block) {
        blocks->append("block_" + std::to_string(block),
            convolutionBlock(config, block, m_features, m_channels));
        m_features /= config.interLayerPoolingSize[block];
        m_channels = config.cnnChannels[block];
        TORCH_CHECK(m_features > 0, "cnn block ", block + 1,
            " pools the features away: fewer blocks or a smaller "
            "inter_layer_pooling_size are needed");
    }
    append("CNN", blocks);
}

void Crdnn::appendProjection(const CrdnnConfig& config)
{
    auto layers = std::make_shared<Sequential>();
    catalog::LinearConfig linear;
    linear.nNeurons = config.projectionDim;
    linear.inputSize = m_features * std::max<int64_t>(m_channels, 1);
    linear.combineDims = true;
    layers->append("linear", std::make_shared<Linear>(linear));
    layers->append("norm", makeLayerNorm({ config.projectionDim }));
    layers->append("act", makeActivation(config.activation, kLeakyRelu));
    append("projection", layers);
    m_features = config.projectionDim;
    m_channels = 0;
}

void Crdnn::appendRecurrent(const CrdnnConfig& config)
{
    int64_t inputs = m_features * std::max<int64_t>(m_channels, 1);
    const int64_t outputs = config.rnnNeurons * (config.rnnBidirectional ? 2 : 1);
    m_channels = 0;
    m_features = config.useRnnp ? config.dnnNeurons : outputs;
    if (!config.useRnnp) {
        append("RNN", recurrent(config, inputs, config.rnnLayers, config.dropout));
        return;
    }
    append("RNN", std::make_shared<Sequential>());
    for (int64_t layer = 0; layer < config.rnnLayers; ++layer) {
        append(recurrent(config, inputs, 1, {}));
        append(makeLinear(outputs, config.dnnNeurons));
        append(std::make_shared<Dropout>(config.dropout));
        inputs = config.dnnNeurons;
    }
}

void Crdnn::appendLinear(const CrdnnConfig& config)
{
    auto blocks = std::make_shared<Sequential>();
    for (int64_t block = 0; block < config.dnnBlocks; ++block) {
        auto layers = std::make_shared<Sequential>();
        layers->append("linear", makeLinear(m_features, config.dnnNeurons));
        layers->append("norm", makeBatchNorm1d(config.dnnNeurons));
        layers->append("act", makeActivation(config.activation, kLeakyRelu));
        layers->append("dropout", std::make_shared<Dropout>(config.dropout));
        blocks->append("block_" + std::to_string(block), layers);
        m_features = config.dnnNeurons;
    }
    append("DNN", blocks);
}

} // namespace earwright::model
