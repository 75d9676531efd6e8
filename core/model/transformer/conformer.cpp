#include "core/model/transformer/encoder.h"

#include "core/model/depthwise.h"
#include "core/model/dropout.h"
#include "core/model/projection.h"

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

namespace earwright::model {

namespace {

using ConformerConfig = catalog::TransformerAsrConfig;

ActivationChoice activationOf(const ConformerConfig& config)
{
    return { config.conformerActivation, "speechbrain.nnet.activations.Swish" };
}

torch::nn::LayerNorm layerNorm(int64_t width)
{
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({ width }));
}

torch::nn::Conv1dOptions overTime(const ConformerConfig& config, int64_t padding)
{
    return torch::nn::Conv1dOptions(config.dModel, config.dModel, *config.kernelSize)
        .padding(padding)
        .groups(config.dModel)
        .bias(config.bias);
}

/// Pointwise convolution, gate, depthwise convolution over time, activation, linear.
class ConvolutionModule final : public torch::nn::Module {
public:
    explicit ConvolutionModule(const ConformerConfig& config)
        : m_causal(isCausal(config))
        , m_padding(m_causal ? *config.kernelSize - 1 : (*config.kernelSize - 1) / 2)
        , m_dropout(config.dropout)
        , m_norm(register_module("layer_norm", layerNorm(config.dModel)))
        , m_pointwise(
              torch::nn::Conv1dOptions(config.dModel, 2 * config.dModel, 1).bias(config.bias))
        , m_depthwise(register_module("conv", torch::nn::Conv1d(overTime(config, m_padding))))
        , m_afterNorm(layerNorm(config.dModel))
        , m_activation(activationOf(config).make())
        , m_afterLinear(torch::nn::LinearOptions(config.dModel, config.dModel).bias(config.bias))
    {
        register_module("bottleneck", std::make_shared<torch::nn::Module>())
            ->register_module("0", m_pointwise);
        const auto after = register_module("after_conv", std::make_shared<torch::nn::Module>());
        after->register_module("0", m_afterNorm);
        after->register_module("2", m_afterLinear);
    }

    torch::Tensor forward(const torch::Tensor& x_BTD, const torch::Tensor& padding_BT)
    {
        // A convolution of one frame is a linear layer, without turning time and channels around.
        const torch::Tensor gated_BTD = torch::glu(
            torch::linear(m_norm(x_BTD), m_pointwise->weight.squeeze(-1), m_pointwise->bias), -1);
        torch::Tensor x_BDT = depthwise(*m_depthwise, gated_BTD.transpose(1, 2));
        if (m_causal && m_padding > 0)
            x_BDT = x_BDT.narrow(2, 0, x_BDT.size(2) - m_padding);
        const torch::Tensor active = m_activation->forward(m_afterNorm(x_BDT.transpose(1, 2)));
        torch::Tensor out_BTD = dropped(m_afterLinear(active), m_dropout, is_training());
        return padding_BT.defined() ? out_BTD.masked_fill(padding_BT.unsqueeze(-1), 0) : out_BTD;
    }

private:
    bool m_causal;
    int64_t m_padding;
    double m_dropout;
    torch::nn::LayerNorm m_norm;
    torch::nn::Conv1d m_pointwise;
    torch::nn::Conv1d m_depthwise;
    torch::nn::LayerNorm m_afterNorm;
    std::shared_ptr<Layer> m_activation;
    Projection m_afterLinear;
};

/// Gulati et al. 2020: half feed-forward, attention, convolution, half feed-forward, norm.
/// Attention has no dropout of its own here.
class ConformerLayer final : public EncoderLayer {
public:
    explicit ConformerLayer(const ConformerConfig& config)
        : m_attention(register_module(
            "mha_layer", makeSelfAttention(config.attentionType, attentionSize(config))))
        , m_convolution(
              register_module("convolution_module", std::make_shared<ConvolutionModule>(config)))
        , m_feedForward1(register_module("ffn_module1", feedForward(config)))
        , m_feedForward2(register_module("ffn_module2", feedForward(config)))
        , m_norm1(register_module("norm1", std::make_shared<Norm>(config.dModel)))
        , m_norm2(register_module("norm2", std::make_shared<Norm>(config.dModel)))
    {
    }

    torch::Tensor forward(const torch::Tensor& x_BTD, const AttentionMask& mask,
        const torch::Tensor& distances_TD) override
    {
        torch::Tensor x = torch::add(x_BTD, m_feedForward1->forward(x_BTD), 0.5);
        x = x + m_attention->forward(m_norm1->forward(x), mask, distances_TD);
        x = x + m_convolution->forward(x, mask.keys_BS);
        return m_norm2->forward(torch::add(x, m_feedForward2->forward(x), 0.5));
    }

private:
    static std::shared_ptr<NormedFeedForward> feedForward(const ConformerConfig& config)
    {
        return std::make_shared<NormedFeedForward>(
            config.dModel, config.dFfn, activationOf(config), config.dropout);
    }

    std::shared_ptr<SelfAttention> m_attention;
    std::shared_ptr<ConvolutionModule> m_convolution;
    std::shared_ptr<NormedFeedForward> m_feedForward1;
    std::shared_ptr<NormedFeedForward> m_feedForward2;
    std::shared_ptr<Norm> m_norm1;
    std::shared_ptr<Norm> m_norm2;
};

} // namespace

std::shared_ptr<EncoderLayer> makeConformerLayer(const catalog::TransformerAsrConfig& config)
{
    TORCH_CHECK(config.normalizeBefore, "normalize_before must be True for a conformer");
    TORCH_CHECK(config.kernelSize, "a conformer needs kernel_size");
    return std::make_shared<ConformerLayer>(config);
}

} // namespace earwright::model
