#include "core/model/transformer/transformer_asr.h"

#include "core/model/adapters/adapted_model.h"
#include "core/model/dropout.h"

#include <cmath>
#include <torch/nn/init.h>
#include <torch/utils.h>

namespace earwright::model {

TransformerAsr::TransformerAsr(const catalog::TransformerAsrConfig& config)
    : m_causal(isCausal(config))
    , m_isRelative(config.attentionType == "RelPosMHAXL")
    , m_dropout(config.dropout)
    , m_embeddingScale(std::sqrt(static_cast<double>(config.dModel)))
    , m_input(config.inputSize, config.dModel)
{
    TORCH_CHECK(!config.outputHiddenStates,
        "output_hidden_states is not supported: the encoder gives its last layer");
    TORCH_CHECK(config.numEncoderLayers > 0, "num_encoder_layers must be at least 1");
    registerPositions(config);
    m_encoder = register_module("encoder", makeEncoder(config));
    if (config.numDecoderLayers > 0)
        m_decoder = register_module("decoder", std::make_shared<Decoder>(config));
    const auto source = register_module("custom_src_module", std::make_shared<torch::nn::Module>());
    const auto layers = source->register_module("layers", std::make_shared<torch::nn::Module>());
    layers->register_module("0", std::make_shared<torch::nn::Module>())
        ->register_module("w", m_input);
    if (config.numDecoderLayers > 0)
        registerTargets(config);
    initialise();
}

void TransformerAsr::registerPositions(const catalog::TransformerAsrConfig& config)
{
    const auto table
        = [&] { return std::make_shared<PositionalEncoding>(config.dModel, config.maxLength); };
    const bool isRotary = config.attentionType == "RoPEMHA";
    const bool isMixing = config.attentionType == "hypermixing";
    if (m_isRelative)
        m_distances = register_module(
            "positional_encoding", std::make_shared<RelativePositions>(config.dModel));
    else if (config.positionalEncoding)
        m_encoderPositions = register_module("positional_encoding", table());
    if (m_isRelative || isRotary)
        m_decoderPositions = register_module("positional_encoding_decoder", table());
    else
        m_decoderPositions = m_encoderPositions;
    if (isRotary || isMixing)
        m_encoderPositions.reset(); // upstream keeps its buffer and adds nothing
    TORCH_CHECK(m_isRelative || isRotary || isMixing || m_encoderPositions,
        "positional_encoding null needs RelPosMHAXL, RoPEMHA or hypermixing");
    TORCH_CHECK(m_decoderPositions || config.numDecoderLayers == 0,
        "a decoder beside hypermixing needs positional_encoding fixed_abs_sine");
}

void TransformerAsr::registerTargets(const catalog::TransformerAsrConfig& config)
{
    m_embedding = torch::nn::Embedding(config.tgtVocab, config.dModel);
    const auto target = register_module("custom_tgt_module", std::make_shared<torch::nn::Module>());
    const auto layers = target->register_module("layers", std::make_shared<torch::nn::Module>());
    const auto normalized = layers->register_module("0", std::make_shared<torch::nn::Module>());
    normalized->register_module("emb", std::make_shared<torch::nn::Module>())
        ->register_module("Embedding", m_embedding);
}

void TransformerAsr::initialise()
{
    for (const torch::Tensor& parameter : parameters())
        if (parameter.dim() > 1)
            torch::nn::init::xavier_normal_(parameter);
}

torch::Tensor TransformerAsr::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    return encode(std::move(input), lengths_B);
}

torch::Tensor TransformerAsr::encode(torch::Tensor src, const torch::Tensor& lengths_B)
{
    if (src.dim() == 4)
        src = src.flatten(2);
    const int64_t frames = src.size(1);
    AttentionMask mask { keyPadding(lengths_B, frames), {} };
    if (m_causal)
        mask.pairs_TS = lookAhead(frames, src.device());
    torch::Tensor x_BTD = dropped(m_input(src), m_dropout, is_training());
    if (m_encoderPositions)
        x_BTD = x_BTD + m_encoderPositions->forward(frames);
    return m_encoder->forward(
        x_BTD, mask, m_isRelative ? m_distances->forward(frames) : torch::Tensor());
}

torch::Tensor TransformerAsr::embed(const torch::Tensor& tgt_BU)
{
    TORCH_CHECK(m_decoder, "this transformer has no decoder: num_decoder_layers is 0");
    return m_embedding(tgt_BU.to(torch::kLong)) * m_embeddingScale
        + m_decoderPositions->forward(tgt_BU.size(1));
}

TransformerAsr::Outputs TransformerAsr::transduce(torch::Tensor src, const torch::Tensor& tgt_BU,
    const torch::Tensor& lengths_B, int64_t padIndex)
{
    const torch::Tensor encoder_BTD = encode(std::move(src), lengths_B);
    const DecoderContext context { encoder_BTD, { keyPadding(lengths_B, encoder_BTD.size(1)), {} },
        { tgt_BU == padIndex, lookAhead(tgt_BU.size(1), tgt_BU.device()) } };
    return { encoder_BTD, m_decoder->forward(embed(tgt_BU), context) };
}

TransformerAsr::Decoded TransformerAsr::decode(
    const torch::Tensor& tgt_BU, const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B)
{
    const torch::NoGradGuard noGrad;
    const torch::Tensor padding
        = frames_B.defined() ? keyPaddingOfCounts(frames_B, encoder_BTD.size(1)) : torch::Tensor();
    const DecoderContext context { encoder_BTD, { padding, {} },
        { {}, lookAhead(tgt_BU.size(1), tgt_BU.device()) } };
    auto [decoder_BUD, weights_BUT] = m_decoder->forwardWithWeights(embed(tgt_BU), context);
    return { decoder_BUD, weights_BUT };
}

TransformerAsr::Search TransformerAsr::startSearch(
    const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B)
{
    TORCH_CHECK(m_decoder, "this transformer has no decoder: num_decoder_layers is 0");
    return { m_decoder->remember(encoder_BTD),
        { keyPaddingOfCounts(frames_B, encoder_BTD.size(1)), {} } };
}

torch::Tensor TransformerAsr::searchStep(const torch::Tensor& tokens_N, Search& search)
{
    const torch::NoGradGuard noGrad;
    const torch::Tensor position_1D
        = m_decoderPositions->forward(search.length + 1).narrow(-2, search.length, 1);
    const torch::Tensor x_N1D
        = m_embedding(tokens_N.to(torch::kLong).unsqueeze(1)) * m_embeddingScale + position_1D;
    ++search.length;
    return m_decoder->step(x_N1D, search.layers, search.encoderMask).squeeze(1);
}

EncoderWrapper::EncoderWrapper(const catalog::EncoderWrapperConfig& config, LayerSet& layers)
{
    TORCH_CHECK(config.transformer, "EncoderWrapper needs a transformer");
    m_transformer
        = std::dynamic_pointer_cast<TransformerAsr>(unwrapped(layers.get(*config.transformer)));
    TORCH_CHECK(m_transformer,
        "the transformer of EncoderWrapper is not a TransformerASR that Earwright can build");
    register_module("transformer", m_transformer);
}

torch::Tensor EncoderWrapper::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    return m_transformer->encode(std::move(input), lengths_B);
}

} // namespace earwright::model
