#include "core/model/transformer/encoder.h"

#include "core/model/depthwise.h"
#include "core/model/deterministic.h"
#include "core/model/dropout.h"
#include "core/model/projection.h"

#include <torch/nn/init.h>
#include <torch/nn/modules/conv.h>

namespace earwright::model {

namespace {

using BranchformerConfig = catalog::TransformerAsrConfig;

/// Half of the channels gate the other half, after a norm and a depthwise convolution over time
/// (reflected at the ends).
class SpatialGate final : public torch::nn::Module {
public:
    explicit SpatialGate(const BranchformerConfig& config)
        : m_channels(config.csguLinearUnits / 2)
        , m_dropout(config.dropout)
        , m_norm(register_module("norm", std::make_shared<Norm>(m_channels)))
        , m_conv(torch::nn::Conv1dOptions(m_channels, m_channels, *config.kernelSize)
                     .groups(m_channels))
        , m_activation(ActivationChoice { config.gateActivation, "torch.nn.Identity" }.make())
    {
        register_module("conv", std::make_shared<torch::nn::Module>())
            ->register_module("conv", m_conv);
        torch::nn::init::ones_(m_conv->bias);
        if (!config.useLinearAfterConv)
            return;
        m_linear = register_module("linear", Projection(m_channels, m_channels));
        torch::nn::init::ones_(m_linear->bias);
    }

    torch::Tensor forward(const torch::Tensor& x_BTC)
    {
        const auto halves = x_BTC.chunk(2, -1);
        const int64_t pad = (m_conv->options.kernel_size()->front() - 1) / 2;
        const torch::Tensor padded
            = reflectionPad(m_norm->forward(halves[1]).transpose(1, 2), { pad, pad });
        torch::Tensor gate = depthwise(*m_conv, padded).transpose(1, 2);
        if (!m_linear.is_empty())
            gate = m_linear(gate);
        return dropped(m_activation->forward(gate) * halves[0], m_dropout, is_training());
    }

private:
    int64_t m_channels;
    double m_dropout;
    std::shared_ptr<Norm> m_norm;
    torch::nn::Conv1d m_conv;
    std::shared_ptr<Layer> m_activation;
    Projection m_linear = nullptr;
};

class ConvolutionBranch final : public torch::nn::Module {
public:
    explicit ConvolutionBranch(const BranchformerConfig& config)
        : m_up(
            register_module("pre_channel_proj", Projection(config.dModel, config.csguLinearUnits)))
        , m_down(register_module(
              "post_channel_proj", Projection(config.csguLinearUnits / 2, config.dModel)))
        , m_activation(ActivationChoice { config.branchformerActivation, "torch.nn.GELU" }.make())
        , m_gate(register_module("csgu", std::make_shared<SpatialGate>(config)))
    {
    }

    torch::Tensor forward(const torch::Tensor& x)
    {
        return m_down(m_gate->forward(m_activation->forward(m_up(x))));
    }

private:
    Projection m_up;
    Projection m_down;
    std::shared_ptr<Layer> m_activation;
    std::shared_ptr<SpatialGate> m_gate;
};

/// Peng et al. 2022: attention and convolution side by side, merged by a linear layer. Padding is
/// not masked in the convolution.
class BranchformerLayer final : public EncoderLayer {
public:
    explicit BranchformerLayer(const BranchformerConfig& config)
        : m_attention(register_module(
            "mha_layer", makeSelfAttention(config.attentionType, attentionSize(config))))
        , m_convolution(
              register_module("convolution_branch", std::make_shared<ConvolutionBranch>(config)))
        , m_merge(register_module("merge_proj", Projection(2 * config.dModel, config.dModel)))
        , m_normAttention(register_module("norm_mhsa", std::make_shared<Norm>(config.dModel)))
        , m_normConvolution(register_module("norm_conv", std::make_shared<Norm>(config.dModel)))
        , m_dropout(config.dropout)
    {
    }

    torch::Tensor forward(const torch::Tensor& x_BTD, const AttentionMask& mask,
        const torch::Tensor& distances_TD) override
    {
        const auto drop
            = [this](const torch::Tensor& x) { return dropped(x, m_dropout, is_training()); };
        const torch::Tensor attended
            = drop(m_attention->forward(m_normAttention->forward(x_BTD), mask, distances_TD));
        const torch::Tensor convolved
            = drop(m_convolution->forward(m_normConvolution->forward(x_BTD)));
        return x_BTD + drop(m_merge(torch::cat({ attended, convolved }, -1)));
    }

private:
    std::shared_ptr<SelfAttention> m_attention;
    std::shared_ptr<ConvolutionBranch> m_convolution;
    Projection m_merge;
    std::shared_ptr<Norm> m_normAttention;
    std::shared_ptr<Norm> m_normConvolution;
    double m_dropout;
};

} // namespace

std::shared_ptr<EncoderLayer> makeBranchformerLayer(const catalog::TransformerAsrConfig& config)
{
    TORCH_CHECK(config.csguLinearUnits % 2 == 0, "csgu_linear_units must be even, not ",
        config.csguLinearUnits);
    TORCH_CHECK(config.kernelSize && *config.kernelSize % 2 == 1,
        "a branchformer needs an odd kernel_size");
    TORCH_CHECK(config.attentionType != "RoPEMHA",
        "a branchformer has no RoPEMHA: use RelPosMHAXL, regularMHA or hypermixing");
    return std::make_shared<BranchformerLayer>(config);
}

} // namespace earwright::model
