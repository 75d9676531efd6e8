#include "core/model/whisper/whisper_model.h"

#include "core/model/autocast_off.h"
#include "core/model/dropout.h"
#include "core/model/pretrained/masked_spans.h"
#include "core/model/transformer/layer_drop.h"

#include <torch/utils.h>

namespace earwright::model {

namespace {

torch::nn::Embedding vectorsOf(int64_t count, int64_t width, std::optional<int64_t> padding = {})
{
    torch::nn::EmbeddingOptions options(count, width);
    return torch::nn::Embedding(padding ? options.padding_idx(*padding) : options);
}

std::vector<std::shared_ptr<WhisperLayer>> addLayers(torch::nn::Module& stack,
    const WhisperSizes& sizes, const WhisperStackSize& size, bool isDecoders)
{
    const auto list = stack.register_module("layers", std::make_shared<torch::nn::Module>());
    std::vector<std::shared_ptr<WhisperLayer>> layers;
    for (int64_t i = 0; i < size.layers; ++i)
        layers.push_back(list->register_module(
            std::to_string(i), std::make_shared<WhisperLayer>(sizes, size, isDecoders)));
    return layers;
}

/// The norm behind the layers is part of what they give.
LayerOutputs withNorm(LayerOutputs outputs, torch::nn::LayerNorm& norm)
{
    outputs.last_BTD = norm(outputs.last_BTD);
    if (!outputs.hidden_BTD.empty())
        outputs.hidden_BTD.back() = outputs.last_BTD;
    return outputs;
}

torch::Tensor maskedMel(torch::Tensor mel_BMF, const WhisperSizes& sizes)
{
    RandomSource random;
    const auto masked = [&](const SpanMasking& masking, int64_t dimension) {
        const int64_t size = mel_BMF.size(dimension);
        const std::vector<int64_t> sizesOfRows(static_cast<size_t>(mel_BMF.size(0)), size);
        return maskedSpans(masking, size, sizesOfRows, random).to(mel_BMF.device(), true);
    };
    if (sizes.timeMasking.share > 0)
        mel_BMF = mel_BMF.masked_fill(masked(sizes.timeMasking, 2).unsqueeze(1), 0);
    if (sizes.melMasking.share > 0)
        mel_BMF = mel_BMF.masked_fill(masked(sizes.melMasking, 1).unsqueeze(2), 0);
    return mel_BMF;
}

} // namespace

WhisperEncoder::WhisperEncoder(const WhisperSizes& sizes)
    : m_sizes(sizes)
    , m_conv1(register_module("conv1",
          torch::nn::Conv1d(torch::nn::Conv1dOptions(sizes.mels, sizes.width, 3).padding(1))))
    , m_conv2(register_module("conv2",
          torch::nn::Conv1d(
              torch::nn::Conv1dOptions(sizes.width, sizes.width, 3).stride(2).padding(1))))
    , m_positions(
          register_module("embed_positions", vectorsOf(sizes.encoder.positions, sizes.width)))
    , m_layers(addLayers(*this, sizes, sizes.encoder, false))
    , m_norm(register_module("layer_norm", whisperNorm(sizes)))
{
    m_positions->weight.set_requires_grad(false);
}

LayerOutputs WhisperEncoder::forward(const torch::Tensor& mel_BMF, bool keepHidden)
{
    TORCH_CHECK(mel_BMF.size(2) == 2 * m_sizes.encoder.positions, "Whisper takes ",
        2 * m_sizes.encoder.positions, " mel frames, not ", mel_BMF.size(2));
    const torch::Tensor halved_BDT = at::gelu(m_conv2(at::gelu(m_conv1(mel_BMF))));
    const torch::Tensor x_BTD = dropped(
        halved_BDT.transpose(1, 2).contiguous() + positions_TD(), m_sizes.dropout, is_training());
    const std::vector<bool> leftOut
        = droppedLayers(m_sizes.encoder.layers, is_training() ? m_sizes.encoder.layerdrop : 0);
    return withNorm(
        runLayers(x_BTD, leftOut, keepHidden,
            [&](size_t layer, const torch::Tensor& x) { return m_layers[layer]->forward(x); }),
        m_norm);
}

void WhisperSearch::reorder(const torch::Tensor& rows_N)
{
    for (WhisperMemory& layer : layers)
        if (layer.tokens.keys.defined())
            layer.tokens.reorder(rows_N);
}

WhisperDecoder::WhisperDecoder(const WhisperSizes& sizes)
    : m_sizes(sizes)
    , m_tokens(
          register_module("embed_tokens", vectorsOf(sizes.vocabulary, sizes.width, sizes.padToken)))
    , m_positions(
          register_module("embed_positions", vectorsOf(sizes.decoder.positions, sizes.width)))
    , m_layers(addLayers(*this, sizes, sizes.decoder, true))
    , m_norm(register_module("layer_norm", whisperNorm(sizes)))
{
}

/// Of tokens that follow so many others.
torch::Tensor WhisperDecoder::embedded(const torch::Tensor& tokens_BU, int64_t before)
{
    const int64_t count = tokens_BU.size(1);
    TORCH_CHECK(before + count <= m_sizes.decoder.positions, "a text of ", before + count,
        " tokens, prompt included, is longer than the ", m_sizes.decoder.positions,
        " that Whisper knows positions of (max_target_positions)");
    return dropped(m_tokens(tokens_BU) + m_positions->weight.narrow(0, before, count),
        m_sizes.dropout, is_training());
}

/// Layers are left out independently of the encoder's, whose draws come first.
LayerOutputs WhisperDecoder::forward(
    const torch::Tensor& tokens_BU, const torch::Tensor& encoder_BTD, bool keepHidden)
{
    const AttentionMask mask { {}, lookAhead(tokens_BU.size(1), tokens_BU.device()) };
    std::vector<bool> leftOut = droppedLayers(m_sizes.encoder.layers + m_sizes.decoder.layers,
        is_training() ? m_sizes.decoder.layerdrop : 0);
    leftOut.erase(leftOut.begin(), leftOut.begin() + m_sizes.encoder.layers);
    return withNorm(runLayers(embedded(tokens_BU, 0), leftOut, keepHidden,
                        [&](size_t layer, const torch::Tensor& x) {
                            return m_layers[layer]->forward(x, mask, encoder_BTD);
                        }),
        m_norm);
}

WhisperSearch WhisperDecoder::startSearch(const torch::Tensor& encoder_BTD)
{
    WhisperSearch search;
    for (const auto& layer : m_layers)
        search.layers.push_back(layer->remember(encoder_BTD));
    return search;
}

torch::Tensor WhisperDecoder::step(const torch::Tensor& tokens_NU, WhisperSearch& search)
{
    const int64_t count = tokens_NU.size(1);
    TORCH_CHECK(count == 1 || search.tokens == 0, "several tokens at once begin a search");
    const AttentionMask mask { {},
        count == 1 ? torch::Tensor() : lookAhead(count, tokens_NU.device()) };
    torch::Tensor x_NUD = embedded(tokens_NU, search.tokens);
    for (size_t i = 0; i < m_layers.size(); ++i)
        x_NUD = m_layers[i]->step(x_NUD, search.layers[i], mask);
    search.tokens += count;
    return m_norm(x_NUD);
}

torch::Tensor WhisperDecoder::logits(const torch::Tensor& x_BUD)
{
    return torch::linear(x_BUD, m_tokens->weight).to(fullType(m_tokens->weight));
}

WhisperModel::WhisperModel(const WhisperSizes& sizes, bool encoderOnly)
    : m_sizes(sizes)
    , m_encoder(register_module("encoder", std::make_shared<WhisperEncoder>(sizes)))
{
    if (!encoderOnly)
        m_decoder = register_module("decoder", std::make_shared<WhisperDecoder>(sizes));
}

LayerOutputs WhisperModel::encode(const torch::Tensor& mel_BMF, bool keepHidden)
{
    const bool masks = m_sizes.applySpecAugment && is_training();
    return m_encoder->forward(masks ? maskedMel(mel_BMF, m_sizes) : mel_BMF, keepHidden);
}

WhisperDecoder& WhisperModel::decoder()
{
    TORCH_CHECK(m_decoder, "this Whisper was built without its decoder: leave out encoder_only");
    return *m_decoder;
}

} // namespace earwright::model
