#include "core/model/pretrained/bert_encoder.h"

#include "core/model/dropout.h"
#include "core/model/pretrained/padding.h"
#include "core/model/transformer/layer_drop.h"

namespace earwright::model {

namespace {

/// As upstream, whatever hidden_act is.
EncoderConfig withRelu(EncoderConfig config)
{
    config.activation = EncoderActivation::Relu;
    return config;
}

} // namespace

BertEncoder::BertEncoder(const EncoderConfig& config, std::shared_ptr<RandomSource> random)
    : m_config(config)
    , m_masking(config, std::move(random))
    , m_projection(register_module(
          "feature_projection", std::make_shared<FeatureProjection>(config.inputWidth, config)))
{
    TORCH_CHECK(config.family == EncoderFamily::Wav2Vec2Bert,
        "the encoder is of another family than w2v-BERT, which encodes mel features");
    if (m_masking.vector.defined())
        m_masking.vector = register_parameter("masked_spec_embed", m_masking.vector);
    const auto list = register_module("encoder", std::make_shared<torch::nn::Module>())
                          ->register_module("layers", std::make_shared<torch::nn::Module>());
    for (int64_t i = 0; i < config.layers; ++i)
        m_layers.push_back(
            list->register_module(std::to_string(i), std::make_shared<BertLayer>(config)));
    if (config.networkBehind)
        m_networkBehind = register_module(
            "intermediate_ffn", std::make_shared<EncoderFeedForward>(withRelu(config)));
    if (config.adapter)
        m_adapter = register_module("adapter", std::make_shared<BertAdapter>(config));
}

LayerOutputs BertEncoder::forward(
    const torch::Tensor& features_BTF, const torch::Tensor& frames_B, bool keepHidden)
{
    torch::Tensor x_BTD = m_projection->forward(features_BTF).hidden_BTD;
    x_BTD = m_masking.apply(x_BTD, frames_B, {}, is_training());
    const torch::Tensor isPadding_BT = paddingOf(frames_B, x_BTD.size(1), x_BTD.device());
    if (isPadding_BT.defined())
        x_BTD = x_BTD.masked_fill(isPadding_BT.unsqueeze(2), 0);
    x_BTD = dropped(x_BTD, m_config.hiddenDropout, is_training());

    const std::vector<bool> leftOut
        = droppedLayers(m_config.layers, is_training() ? m_config.layerdrop : 0);
    LayerOutputs outputs
        = runLayers(x_BTD, leftOut, keepHidden, [&](size_t layer, const torch::Tensor& x) {
              return m_layers[layer]->forward(x, isPadding_BT);
          });
    torch::Tensor& last_BTD = outputs.last_BTD;
    if (m_networkBehind)
        last_BTD = last_BTD + m_networkBehind->forward(last_BTD) * 0.5;
    torch::Tensor framesBehind_B = frames_B;
    if (m_adapter)
        last_BTD = m_adapter->forward(last_BTD, framesBehind_B);
    return outputs;
}

} // namespace earwright::model
