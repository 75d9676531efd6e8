#include "core/model/transformer/decoder.h"

#include "core/model/transformer/encoder.h"

namespace earwright::model {

DecoderLayer::DecoderLayer(const catalog::TransformerAsrConfig& config)
    : m_selfAttention(
        register_module("self_attn", std::make_shared<MultiheadAttention>(attentionSize(config))))
    , m_memoryAttention(register_module(
          "multihead_attn", std::make_shared<MultiheadAttention>(attentionSize(config))))
    , m_feedForward(register_module("pos_ffn",
          std::make_shared<FeedForward>(config.dModel, config.dFfn,
              ActivationChoice { config.activation, "torch.nn.ReLU" }, config.dropout)))
    , m_norm1(register_module("norm1", std::make_shared<Norm>(config.dModel, 1e-6)))
    , m_norm2(register_module("norm2", std::make_shared<Norm>(config.dModel, 1e-6)))
    , m_norm3(register_module("norm3", std::make_shared<Norm>(config.dModel, 1e-6)))
    , m_dropout(config.dropout)
    , m_normFirst(config.normalizeBefore)
{
}

torch::Tensor DecoderLayer::afterSelfAttention(
    const torch::Tensor& x_BTD, const DecoderContext& context)
{
    if (m_normFirst)
        return x_BTD + drop(m_selfAttention->forward(m_norm1->forward(x_BTD), context.targetMask));
    return m_norm1->forward(x_BTD + drop(m_selfAttention->forward(x_BTD, context.targetMask)));
}

torch::Tensor DecoderLayer::forward(const torch::Tensor& x_BTD, const DecoderContext& context)
{
    const auto attend = [&](const torch::Tensor& query) {
        return drop(m_memoryAttention->attend(query, context.memory_BSD, context.memoryMask));
    };
    torch::Tensor x = afterSelfAttention(x_BTD, context);
    if (m_normFirst) {
        x = x + attend(m_norm2->forward(x));
        return x + drop(m_feedForward->forward(m_norm3->forward(x)));
    }
    x = m_norm2->forward(x + attend(x));
    return m_norm3->forward(x + drop(m_feedForward->forward(x)));
}

LayerMemory DecoderLayer::remember(const torch::Tensor& memory_BSD)
{
    return { {}, m_memoryAttention->keysValues(memory_BSD) };
}

torch::Tensor DecoderLayer::attendToTargets(const torch::Tensor& x_N1D, LayerMemory& memory)
{
    memory.targets.append(m_selfAttention->keysValues(x_N1D));
    return m_selfAttention->attendTo(x_N1D, memory.targets, {});
}

/// The rows of a batch row ask together.
torch::Tensor DecoderLayer::attendToEncoder(
    const torch::Tensor& x_N1D, LayerMemory& memory, const AttentionMask& memoryMask)
{
    const torch::Tensor query_BKD = x_N1D.view({ memory.encoder.keys.size(0), -1, x_N1D.size(2) });
    if (memory.keepsWeights)
        memory.weights_NS = m_memoryAttention->weightsOf(query_BKD, memory.encoder.keys, memoryMask)
                                .flatten(0, 1);
    return m_memoryAttention->attendTo(query_BKD, memory.encoder, memoryMask)
        .reshape(x_N1D.sizes());
}

torch::Tensor DecoderLayer::step(
    const torch::Tensor& x_N1D, LayerMemory& memory, const AttentionMask& memoryMask)
{
    if (m_normFirst) {
        torch::Tensor x = x_N1D + attendToTargets(m_norm1->forward(x_N1D), memory);
        x = x + attendToEncoder(m_norm2->forward(x), memory, memoryMask);
        return x + m_feedForward->forward(m_norm3->forward(x));
    }
    torch::Tensor x = m_norm1->forward(x_N1D + attendToTargets(x_N1D, memory));
    x = m_norm2->forward(x + attendToEncoder(x, memory, memoryMask));
    return m_norm3->forward(x + m_feedForward->forward(x));
}

torch::Tensor DecoderLayer::memoryWeights(const torch::Tensor& x_BTD, const DecoderContext& context)
{
    const torch::Tensor x = afterSelfAttention(x_BTD, context);
    return m_memoryAttention->weights(
        m_normFirst ? m_norm2->forward(x) : x, context.memory_BSD, context.memoryMask);
}

Decoder::Decoder(const catalog::TransformerAsrConfig& config)
    : m_norm(register_module("norm", std::make_shared<Norm>(config.dModel, 1e-6)))
{
    const auto list = register_module("layers", std::make_shared<torch::nn::Module>());
    for (int64_t i = 0; i < config.numDecoderLayers; ++i)
        m_layers.push_back(
            list->register_module(std::to_string(i), std::make_shared<DecoderLayer>(config)));
}

torch::Tensor Decoder::forward(torch::Tensor x_BTD, const DecoderContext& context)
{
    for (const auto& layer : m_layers)
        x_BTD = layer->forward(x_BTD, context);
    return m_norm->forward(x_BTD);
}

std::vector<LayerMemory> Decoder::remember(const torch::Tensor& memory_BSD)
{
    std::vector<LayerMemory> memory;
    for (const auto& layer : m_layers)
        memory.push_back(layer->remember(memory_BSD));
    return memory;
}

torch::Tensor Decoder::step(
    torch::Tensor x_N1D, std::vector<LayerMemory>& memory, const AttentionMask& memoryMask)
{
    for (size_t i = 0; i < m_layers.size(); ++i)
        x_N1D = m_layers[i]->step(x_N1D, memory[i], memoryMask);
    return m_norm->forward(x_N1D);
}

std::pair<torch::Tensor, torch::Tensor> Decoder::forwardWithWeights(
    torch::Tensor x_BTD, const DecoderContext& context)
{
    for (size_t i = 0; i + 1 < m_layers.size(); ++i)
        x_BTD = m_layers[i]->forward(x_BTD, context);
    const torch::Tensor weights_BTS = m_layers.back()->memoryWeights(x_BTD, context);
    return { m_norm->forward(m_layers.back()->forward(x_BTD, context)), weights_BTS };
}

} // namespace earwright::model
