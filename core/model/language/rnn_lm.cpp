#include "core/model/language/rnn_lm.h"

#include "core/model/activation.h"
#include "core/model/container.h"
#include "core/model/dropout.h"
#include "core/model/layer_table.h"
#include "core/model/linear.h"
#include "core/model/normalization.h"

#include <torch/utils.h>

namespace earwright::model {

namespace {

using catalog::RnnLmConfig;

/// As upstream calls the class: what it gives overrides what the recipe gave.
template <class Config>
std::shared_ptr<Recurrent> recurrentOfTexts(const RnnLmConfig& config)
{
    auto rnn = ownArguments<Config>(config.rnnClass);
    rnn.inputSize = config.embeddingDim;
    rnn.hiddenSize = config.rnnNeurons;
    rnn.numLayers = config.rnnLayers;
    rnn.dropout = config.dropout;
    rnn.reInit = config.rnnReInit;
    TORCH_CHECK(!rnn.bidirectional,
        "rnn_class of RNNLM must not be bidirectional: no text is "
        "known to its end while it is searched");
    return std::make_shared<Recurrent>(rnn);
}

std::shared_ptr<Recurrent> makeRecurrent(const RnnLmConfig& config)
{
    const std::string prefix = "speechbrain.nnet.RNN.";
    const std::string className = classOf(config.rnnClass, prefix + "LSTM");
    if (className == prefix + "LSTM")
        return recurrentOfTexts<catalog::LstmConfig>(config);
    if (className == prefix + "GRU")
        return recurrentOfTexts<catalog::GruConfig>(config);
    TORCH_CHECK(className == prefix + "RNN", "rnn_class '", className,
        "' of RNNLM is none of LSTM, GRU and RNN of speechbrain.nnet.RNN");
    return recurrentOfTexts<catalog::RnnConfig>(config);
}

std::shared_ptr<Sequential> makeBlocks(const RnnLmConfig& config)
{
    auto blocks = std::make_shared<Sequential>();
    int64_t width = config.rnnNeurons;
    for (int64_t block = 0; block < config.dnnBlocks; ++block) {
        blocks->append("linear", makeLinear(width, config.dnnNeurons));
        blocks->append("norm", makeLayerNorm({ config.dnnNeurons }));
        blocks->append("act", makeActivation(config.activation, "torch.nn.LeakyReLU"));
        blocks->append("dropout", std::make_shared<Dropout>(config.dropout));
        width = config.dnnNeurons;
    }
    TORCH_CHECK(width == config.dnnNeurons, "dnn_neurons of RNNLM is ", config.dnnNeurons,
        ", but without dnn_blocks ", width, " features (rnn_neurons) reach its output layer");
    return blocks;
}

class RnnLmMemory final : public LanguageModel::Memory {
public:
    void reorder(const torch::Tensor& rows_N) override
    {
        for (torch::Tensor* part : { &state.hidden, &state.cell })
            if (part->defined())
                *part = part->index_select(1, rows_N);
    }

    RecurrentOutput state;
};

} // namespace

RnnLm::RnnLm(const RnnLmConfig& config)
    : m_dropout(config.dropout)
    , m_embedding(torch::nn::EmbeddingOptions(config.outputNeurons, config.embeddingDim))
    , m_recurrent(makeRecurrent(config))
    , m_blocks(makeBlocks(config))
    , m_output(makeLinear(config.dnnNeurons, config.outputNeurons))
{
    register_module("embedding", std::make_shared<torch::nn::Module>())
        ->register_module("Embedding", m_embedding);
    register_module("rnn", m_recurrent);
    register_module("dnn", m_blocks);
    register_module("out", m_output);
}

torch::Tensor RnnLm::forward(torch::Tensor tokens_BT, torch::Tensor)
{
    return forwardWithState(tokens_BT, {}).output;
}

RecurrentOutput RnnLm::forwardWithState(
    const torch::Tensor& tokens_BT, const RecurrentOutput& state)
{
    const torch::Tensor x_BTE
        = dropped(m_embedding(tokens_BT.to(torch::kLong)), m_dropout, is_training());
    RecurrentOutput result = m_recurrent->goOn(x_BTE, state);
    result.output = m_output->forward(m_blocks->forward(result.output));
    return result;
}

std::unique_ptr<LanguageModel::Memory> RnnLm::startTexts() const
{
    return std::make_unique<RnnLmMemory>();
}

torch::Tensor RnnLm::step(const torch::Tensor& tokens_N, Memory& memory)
{
    const torch::NoGradGuard noGrad;
    RecurrentOutput& state = dynamic_cast<RnnLmMemory&>(memory).state;
    RecurrentOutput next = forwardWithState(tokens_N.unsqueeze(1), state);
    const torch::Tensor logits_NV = next.output.squeeze(1);
    state = { {}, next.hidden, next.cell };
    return logits_NV;
}

} // namespace earwright::model
