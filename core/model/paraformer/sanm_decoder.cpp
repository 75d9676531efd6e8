#include "core/model/paraformer/sanm_decoder.h"

#include "core/model/dropout.h"

#include <algorithm>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>

namespace earwright::model {

namespace {

SanmSize sizeOf(const catalog::ParaformerDecoderConfig& config, double dropout)
{
    return { config.encoderOutputSize, config.encoderOutputSize, config.attentionHeads,
        config.kernelSize, config.sanmShift, dropout };
}

std::shared_ptr<FsmnMemory> memoryOf(
    const catalog::ParaformerDecoderConfig& config, DecoderParts parts)
{
    SanmSize size = sizeOf(config, config.selfAttentionDropoutRate);
    if (parts == DecoderParts::Memory)
        size.shift = 0; // as upstream builds decoders2
    return std::make_shared<FsmnMemory>(size);
}

} // namespace

DecoderFeedForward::DecoderFeedForward(int64_t width, int64_t hidden, double dropout)
    : m_dropout(dropout)
    , m_up(register_module("w_1", Projection(width, hidden)))
    , m_down(
          register_module("w_2", Projection(torch::nn::LinearOptions(hidden, width).bias(false))))
    , m_norm(register_module("norm", sanmNorm(hidden)))
{
}

torch::Tensor DecoderFeedForward::forward(const torch::Tensor& x)
{
    return m_down(m_norm(dropped(torch::relu(m_up(x)), m_dropout, is_training())));
}

SanmDecoderLayer::SanmDecoderLayer(
    const catalog::ParaformerDecoderConfig& config, DecoderParts parts)
    : m_normsBefore(config.normalizeBefore)
    , m_dropout(config.dropoutRate)
{
    const int64_t width = config.encoderOutputSize;
    if (parts != DecoderParts::Neither)
        m_memory = register_module("self_attn", memoryOf(config, parts));
    if (parts == DecoderParts::MemoryAndAttention)
        m_attention = register_module("src_attn",
            std::make_shared<CrossAttention>(sizeOf(config, config.srcAttentionDropoutRate)));
    m_feedForward = register_module("feed_forward",
        std::make_shared<DecoderFeedForward>(width, config.linearUnits, config.dropoutRate));
    m_norm1 = register_module("norm1", sanmNorm(width));
    if (m_memory)
        m_norm2 = register_module("norm2", sanmNorm(width));
    if (m_attention)
        m_norm3 = register_module("norm3", sanmNorm(width));
}

Attended SanmDecoderLayer::forward(
    const torch::Tensor& x_BUD, const torch::Tensor& valid_BU, const Encoded& encoded)
{
    torch::Tensor x = m_feedForward->forward(m_normsBefore ? m_norm1(x_BUD) : x_BUD);
    if (m_memory) {
        const torch::Tensor y = m_memory->remember(m_normsBefore ? m_norm2(x) : x, valid_BU);
        x = x_BUD + dropped(y, m_dropout, is_training());
    }
    if (!m_attention)
        return { x, {} };
    const Attended seen
        = m_attention->forward(m_normsBefore ? m_norm3(x) : x, encoded.x_BTD, encoded.valid_BT);
    return { x + dropped(seen.y_BUD, m_dropout, is_training()), seen.weights_BHUT };
}

ParaformerDecoder::ParaformerDecoder(const catalog::ParaformerDecoderConfig& config)
{
    TORCH_CHECK(config.inputLayer == "embed" && !config.concatAfter && !hasLora(config.lora),
        "Earwright builds a ParaformerSANMDecoder with input_layer 'embed', without concat_after "
        "and "
        "lora_list");
    const auto add = [&](const char* name, int64_t count, DecoderParts parts) {
        torch::nn::ModuleList layers;
        for (int64_t i = 0; i < count; ++i) {
            m_layers.push_back(std::make_shared<SanmDecoderLayer>(config, parts));
            layers->push_back(m_layers.back());
        }
        if (count > 0)
            register_module(name, layers);
    };
    const int64_t width = config.encoderOutputSize;
    if (!config.woInputLayer) {
        m_embedding = torch::nn::Embedding(config.vocabSize, width);
        register_module("embed", torch::nn::Sequential(m_embedding));
    }
    if (config.normalizeBefore)
        m_afterNorm = register_module("after_norm", sanmNorm(width));
    if (config.useOutputLayer)
        m_output = register_module("output_layer", Projection(width, config.vocabSize));
    add("decoders", config.attLayerNum, DecoderParts::MemoryAndAttention);
    m_attending = m_layers.size();
    add("decoders2", config.numBlocks - config.attLayerNum, DecoderParts::Memory);
    add("decoders3", 1, DecoderParts::Neither);
}

torch::Tensor ParaformerDecoder::forward(torch::Tensor, torch::Tensor)
{
    TORCH_CHECK(false, "a ParaformerSANMDecoder cannot run without an encoder's output");
}

torch::Tensor ParaformerDecoder::hidden(
    const torch::Tensor& x_BUD, const torch::Tensor& valid_BU, const Encoded& encoded)
{
    torch::Tensor x = x_BUD;
    for (const auto& layer : m_layers)
        x = layer->forward(x, valid_BU, encoded).y_BUD;
    return m_afterNorm ? m_afterNorm(x) : x;
}

torch::Tensor ParaformerDecoder::scores(const torch::Tensor& hidden_BUD)
{
    TORCH_CHECK(m_output, "this decoder was built with use_output_layer: False");
    return m_output(hidden_BUD);
}

torch::Tensor ParaformerDecoder::attention(
    const torch::Tensor& x_BUD, const torch::Tensor& valid_BU, const Encoded& encoded, size_t layer)
{
    torch::Tensor x = x_BUD;
    Attended seen;
    for (size_t i = 0; i < std::min(layer, m_attending); ++i) {
        seen = m_layers.at(i)->forward(x, valid_BU, encoded);
        x = seen.y_BUD;
    }
    return seen.weights_BHUT;
}

} // namespace earwright::model
