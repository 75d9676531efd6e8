#include "core/model/pretrained/positional_convolution.h"

#include "core/model/batch_norm.h"

#include <torch/nn/modules/conv.h>
#include <torch/utils.h>

namespace earwright::model {

namespace {

torch::nn::Conv1d groupedConvolution(const EncoderConfig& config)
{
    return torch::nn::Conv1d(
        torch::nn::Conv1dOptions(config.width, config.width, config.positionKernel)
            .padding(config.positionKernel / 2)
            .groups(config.positionGroups));
}

/// An even kernel gives a frame too many.
torch::Tensor withoutLast(const torch::Tensor& y_BDT, int64_t frames)
{
    return y_BDT.narrow(2, 0, frames);
}

/// A convolution whose kernel is v scaled to length g, tap by tap.
class WeightNormed final : public torch::nn::Module {
public:
    explicit WeightNormed(const EncoderConfig& config)
        : m_padding(config.positionKernel / 2)
        , m_groups(config.positionGroups)
    {
        const torch::nn::Conv1d drawn = groupedConvolution(config);
        m_bias = register_parameter("bias", drawn->bias.detach().clone());
        const auto weight
            = register_module("parametrizations", std::make_shared<torch::nn::Module>())
                  ->register_module("weight", std::make_shared<torch::nn::Module>());
        const torch::Tensor v = drawn->weight.detach().clone();
        m_length = weight->register_parameter("original0", at::norm_except_dim(v, 2, 2));
        m_direction = weight->register_parameter("original1", v);
    }

    torch::Tensor forward(const torch::Tensor& x_BDT)
    {
        const torch::Tensor weight = at::_weight_norm(m_direction, m_length, 2);
        return at::conv1d(x_BDT, weight, m_bias, 1, m_padding, 1, m_groups);
    }

private:
    int64_t m_padding;
    int64_t m_groups;
    torch::Tensor m_bias;
    torch::Tensor m_length;
    torch::Tensor m_direction;
};

class WeightNormedPositions final : public PositionalConvolution {
public:
    explicit WeightNormedPositions(const EncoderConfig& config)
        : m_activation(config.convActivation)
        , m_conv(register_module("conv", std::make_shared<WeightNormed>(config)))
    {
    }

    torch::Tensor forward(const torch::Tensor& x_BTD) override
    {
        const torch::Tensor y_BDT = m_conv->forward(x_BTD.transpose(1, 2));
        return activated(withoutLast(y_BDT, x_BTD.size(1)), m_activation).transpose(1, 2);
    }

private:
    EncoderActivation m_activation;
    std::shared_ptr<WeightNormed> m_conv;
};

class BatchNormedPositions final : public PositionalConvolution {
public:
    explicit BatchNormedPositions(const EncoderConfig& config)
        : m_activation(config.convActivation)
        , m_conv(register_module("conv", groupedConvolution(config)))
        , m_norm(register_module("batch_norm",
              std::make_shared<BatchNorm>(BatchNorm::Options { .channels = config.width })))
    {
    }

    torch::Tensor forward(const torch::Tensor& x_BTD) override
    {
        const torch::Tensor y_BDT = m_conv(m_norm->forward(x_BTD.transpose(1, 2)));
        return activated(withoutLast(y_BDT, x_BTD.size(1)), m_activation).transpose(1, 2);
    }

private:
    EncoderActivation m_activation;
    torch::nn::Conv1d m_conv;
    std::shared_ptr<BatchNorm> m_norm;
};

class StackedPositions final : public PositionalConvolution {
public:
    explicit StackedPositions(const EncoderConfig& config)
        : m_activation(config.convActivation)
    {
        const auto list = register_module("layers", std::make_shared<torch::nn::Module>());
        for (int64_t i = 0; i < config.positionLayers; ++i)
            m_convs.push_back(
                list->register_module(std::to_string(i), std::make_shared<torch::nn::Module>())
                    ->register_module("conv", groupedConvolution(config)));
    }

    torch::Tensor forward(const torch::Tensor& x_BTD) override
    {
        torch::Tensor y_BTD = x_BTD;
        for (torch::nn::Conv1d& conv : m_convs) {
            const torch::Tensor y_BDT = withoutLast(conv(y_BTD.transpose(1, 2)), x_BTD.size(1));
            y_BTD = at::layer_norm(y_BDT.transpose(1, 2), { x_BTD.size(2) });
            y_BTD = activated(y_BTD, m_activation);
        }
        return y_BTD;
    }

private:
    EncoderActivation m_activation;
    std::vector<torch::nn::Conv1d> m_convs;
};

} // namespace

std::shared_ptr<PositionalConvolution> makePositionalConvolution(const EncoderConfig& config)
{
    if (config.family == EncoderFamily::Data2VecAudio)
        return std::make_shared<StackedPositions>(config);
    if (config.positionBatchNorm)
        return std::make_shared<BatchNormedPositions>(config);
    return std::make_shared<WeightNormedPositions>(config);
}

} // namespace earwright::model
