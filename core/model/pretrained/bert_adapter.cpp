#include "core/model/pretrained/bert_adapter.h"

#include "core/model/dropout.h"
#include "core/model/pretrained/padding.h"
#include "core/model/transformer/layer_drop.h"

namespace earwright::model {

namespace {

/// The encoder's config as the adapter's layers have it.
EncoderConfig adapterConfig(EncoderConfig config)
{
    config.width = config.adapter->width;
    config.activation = config.adapter->activation;
    config.positions = BertPositions::None;
    return config;
}

torch::nn::Conv1d shortening(const EncoderConfig& config)
{
    const BertAdapterSize& size = *config.adapter;
    return torch::nn::Conv1d(torch::nn::Conv1dOptions(config.width, 2 * config.width, size.kernel)
                                 .stride(size.stride)
                                 .padding(size.stride / 2));
}

torch::Tensor shortened(torch::nn::Conv1d& conv, const torch::Tensor& x_BTD)
{
    return at::glu(conv(x_BTD.transpose(1, 2)), 1).transpose(1, 2);
}

} // namespace

class BertAdapterLayer final : public torch::nn::Module {
public:
    explicit BertAdapterLayer(const EncoderConfig& config)
        : m_dropout(config.convolutionDropout)
        , m_residualNorm(register_module("residual_layer_norm", encoderNorm(config)))
        , m_residual(register_module("residual_conv", shortening(config)))
        , m_attentionNorm(register_module("self_attn_layer_norm", encoderNorm(config)))
        , m_attentionConv(register_module("self_attn_conv", shortening(config)))
        , m_attention(register_module("self_attn", std::make_shared<BertAttention>(config)))
        , m_norm(register_module("ffn_layer_norm", encoderNorm(config)))
        , m_feedForward(register_module("ffn", std::make_shared<EncoderFeedForward>(config)))
    {
    }

    /// frames_B: of the output.
    torch::Tensor forward(const torch::Tensor& x_BTD, const torch::Tensor& frames_B)
    {
        const torch::Tensor seen_BSD = shortened(m_attentionConv, m_attentionNorm(x_BTD));
        const torch::Tensor isPadding_BS = paddingOf(frames_B, seen_BSD.size(1), seen_BSD.device());
        const torch::Tensor attended_BSD = m_attention->forward(seen_BSD, isPadding_BS);
        const torch::Tensor y_BSD = shortened(m_residual, m_residualNorm(x_BTD))
            + dropped(attended_BSD, m_dropout, is_training());
        return y_BSD + m_feedForward->forward(m_norm(y_BSD));
    }

private:
    double m_dropout;
    torch::nn::LayerNorm m_residualNorm;
    torch::nn::Conv1d m_residual;
    torch::nn::LayerNorm m_attentionNorm;
    torch::nn::Conv1d m_attentionConv;
    std::shared_ptr<BertAttention> m_attention;
    torch::nn::LayerNorm m_norm;
    std::shared_ptr<EncoderFeedForward> m_feedForward;
};

BertAdapter::BertAdapter(const EncoderConfig& config)
    : m_config(adapterConfig(config))
{
    if (m_config.width != config.width) {
        m_projection = register_module("proj", Projection(config.width, m_config.width));
        m_norm = register_module("proj_layer_norm", encoderNorm(m_config));
    }
    const auto list = register_module("layers", std::make_shared<torch::nn::Module>());
    for (int64_t i = 0; i < m_config.adapter->layers; ++i)
        m_layers.push_back(
            list->register_module(std::to_string(i), std::make_shared<BertAdapterLayer>(m_config)));
}

torch::Tensor BertAdapter::forward(torch::Tensor x_BTD, torch::Tensor& frames_B)
{
    if (m_projection)
        x_BTD = m_norm(m_projection(x_BTD));
    const int64_t kernel = m_config.adapter->kernel;
    const std::vector<bool> leftOut
        = droppedLayers(m_config.adapter->layers, is_training() ? m_config.layerdrop : 0);
    for (size_t i = 0; i < m_layers.size(); ++i) {
        // Upstream counts fewer frames where a layer is left out too, and so hides some of them.
        if (leftOut[i])
            continue;
        if (frames_B.defined())
            frames_B
                = (frames_B + 2 * (kernel / 2) - kernel).floor_divide(m_config.adapter->stride) + 1;
        x_BTD = m_layers[i]->forward(x_BTD, frames_B);
    }
    return x_BTD;
}

} // namespace earwright::model
