#include "core/model/language/transformer_lm.h"

#include "core/model/dropout.h"

#include <cmath>
#include <torch/nn/init.h>
#include <torch/utils.h>

namespace earwright::model {

namespace {

using catalog::TransformerLmConfig;
using KeysValues = MultiheadAttention::KeysValues;

AttentionSize textAttention(const TransformerLmConfig& config)
{
    TORCH_CHECK(config.nhead > 0 && config.dModel % config.nhead == 0, "nhead ", config.nhead,
        " does not divide d_model ", config.dModel);
    return { config.dModel, config.nhead, config.dropout };
}

class TransformerLmMemory final : public LanguageModel::Memory {
public:
    explicit TransformerLmMemory(size_t numLayers)
        : layers(numLayers)
    {
    }
    void reorder(const torch::Tensor& rows_N) override
    {
        isPadding_NS = isPadding_NS.index_select(0, rows_N);
        for (KeysValues& layer : layers)
            layer.reorder(rows_N);
    }

    std::vector<KeysValues> layers;
    torch::Tensor isPadding_NS;
    int64_t length = 0; ///< tokens so far
};

constexpr int64_t kPadding = 0; ///< upstream's token that is hidden

} // namespace

TextLayer::TextLayer(const TransformerLmConfig& config)
    : m_attention(
        register_module("self_att", std::make_shared<MultiheadAttention>(textAttention(config))))
    , m_feedForward(register_module("pos_ffn",
          std::make_shared<FeedForward>(config.dModel, config.dFfn,
              ActivationChoice { config.activation, "torch.nn.ReLU" }, config.dropout)))
    , m_norm1(register_module("norm1", std::make_shared<Norm>(config.dModel, 1e-6)))
    , m_norm2(register_module("norm2", std::make_shared<Norm>(config.dModel, 1e-6)))
    , m_dropout(config.dropout)
    , m_normFirst(config.normalizeBefore)
{
}

template <class Attend>
torch::Tensor TextLayer::run(const torch::Tensor& x_BTD, const Attend& attend)
{
    const auto drop
        = [this](const torch::Tensor& x) { return dropped(x, m_dropout, is_training()); };
    if (m_normFirst) {
        const torch::Tensor x = x_BTD + drop(attend(m_norm1->forward(x_BTD)));
        return x + drop(m_feedForward->forward(m_norm2->forward(x)));
    }
    const torch::Tensor x = m_norm1->forward(x_BTD + drop(attend(x_BTD)));
    return m_norm2->forward(x + drop(m_feedForward->forward(x)));
}

torch::Tensor TextLayer::forward(const torch::Tensor& x_BTD, const AttentionMask& mask)
{
    return run(x_BTD, [&](const torch::Tensor& x) { return m_attention->forward(x, mask); });
}

torch::Tensor TextLayer::step(
    const torch::Tensor& x_N1D, KeysValues& past, const AttentionMask& mask)
{
    return run(x_N1D, [&](const torch::Tensor& x) {
        past.append(m_attention->keysValues(x));
        return m_attention->attendTo(x, past, mask);
    });
}

TransformerLm::TransformerLm(const TransformerLmConfig& config)
    : m_positions(register_module("positional_encoding",
        std::make_shared<PositionalEncoding>(config.dModel, config.maxLength)))
    , m_embedding(
          torch::nn::EmbeddingOptions(config.vocab, config.dEmbedding.value_or(config.dModel)))
    , m_hidden(config.dModel, config.dModel)
    , m_outputNorm(std::make_shared<Norm>(config.dModel, 1e-6))
    , m_output(config.dModel, config.vocab)
{
    m_embeddingScale = std::sqrt(static_cast<double>(config.dEmbedding.value_or(config.dModel)));
    registerLayers(config);
    registerEmbedding(config);
    registerOutput();
    for (const torch::Tensor& parameter : parameters())
        if (parameter.dim() > 1)
            torch::nn::init::xavier_normal_(parameter);
}

void TransformerLm::registerLayers(const TransformerLmConfig& config)
{
    const auto encoder = register_module("encoder", std::make_shared<torch::nn::Module>());
    const auto list = encoder->register_module("layers", std::make_shared<torch::nn::Module>());
    for (int64_t i = 0; i < config.numEncoderLayers; ++i)
        m_layers.push_back(
            list->register_module(std::to_string(i), std::make_shared<TextLayer>(config)));
    m_norm = encoder->register_module("norm", std::make_shared<Norm>(config.dModel, 1e-6));
}

void TransformerLm::registerEmbedding(const TransformerLmConfig& config)
{
    register_module("custom_src_module", std::make_shared<torch::nn::Module>())
        ->register_module("emb", std::make_shared<torch::nn::Module>())
        ->register_module("Embedding", m_embedding);
    if (!config.dEmbedding)
        return;
    m_embeddingProjection = Projection(*config.dEmbedding, config.dModel);
    register_module("embedding_proj", std::make_shared<torch::nn::Module>())
        ->register_module("w", m_embeddingProjection);
}

/// Without an activation between the two, as upstream.
void TransformerLm::registerOutput()
{
    const auto output = register_module("output_proj", std::make_shared<torch::nn::Module>())
                            ->register_module("layers", std::make_shared<torch::nn::Module>());
    output->register_module("0", std::make_shared<torch::nn::Module>())
        ->register_module("w", m_hidden);
    output->register_module("1", m_outputNorm);
    output->register_module("2", std::make_shared<torch::nn::Module>())
        ->register_module("w", m_output);
}

torch::Tensor TransformerLm::embed(const torch::Tensor& tokens_BT, int64_t firstPosition)
{
    const int64_t tokens = tokens_BT.size(1);
    torch::Tensor x_BTD = m_embedding(tokens_BT.to(torch::kLong)) * m_embeddingScale;
    if (m_embeddingProjection)
        x_BTD = m_embeddingProjection(x_BTD);
    return x_BTD + m_positions->forward(firstPosition + tokens).narrow(1, firstPosition, tokens);
}

torch::Tensor TransformerLm::logits(const torch::Tensor& x_BTD)
{
    return m_output(m_outputNorm->forward(m_hidden(m_norm->forward(x_BTD))));
}

torch::Tensor TransformerLm::forward(torch::Tensor tokens_BT, torch::Tensor)
{
    const AttentionMask mask { tokens_BT == kPadding,
        lookAhead(tokens_BT.size(1), tokens_BT.device()) };
    torch::Tensor x_BTD = embed(tokens_BT, 0);
    for (const auto& layer : m_layers)
        x_BTD = layer->forward(x_BTD, mask);
    return logits(x_BTD);
}

std::unique_ptr<LanguageModel::Memory> TransformerLm::startTexts() const
{
    return std::make_unique<TransformerLmMemory>(m_layers.size());
}

torch::Tensor TransformerLm::step(const torch::Tensor& tokens_N, Memory& memory)
{
    const torch::NoGradGuard noGrad;
    auto& texts = dynamic_cast<TransformerLmMemory&>(memory);
    const torch::Tensor tokens_N1 = tokens_N.unsqueeze(1);
    const torch::Tensor isPadding_N1 = tokens_N1 == kPadding;
    texts.isPadding_NS = texts.isPadding_NS.defined()
        ? torch::cat({ texts.isPadding_NS, isPadding_N1 }, 1)
        : isPadding_N1;
    const AttentionMask mask { texts.isPadding_NS, {} };
    torch::Tensor x_N1D = embed(tokens_N1, texts.length++);
    for (size_t i = 0; i < m_layers.size(); ++i)
        x_N1D = m_layers[i]->step(x_N1D, texts.layers[i], mask);
    return logits(x_N1D).squeeze(1);
}

} // namespace earwright::model
