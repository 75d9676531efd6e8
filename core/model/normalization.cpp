#include "core/model/normalization.h"

#include "core/model/linear.h"

namespace earwright::model {

namespace {

int64_t channelsOf(const catalog::BatchNorm1dConfig& config)
{
    if (!config.inputShape)
        return inputFeatures(config.inputSize, {}, 0);
    const size_t last = config.skipTranspose ? 1 : config.inputShape->size() - 1;
    const catalog::Shape upTo(
        config.inputShape->begin(), config.inputShape->begin() + static_cast<ptrdiff_t>(last) + 1);
    return inputFeatures(config.inputSize, upTo, last);
}

std::vector<int64_t> normalisedShape(const catalog::LayerNormConfig& config)
{
    if (!config.inputShape) {
        TORCH_CHECK(config.inputSize.has_value(), "input_size or input_shape is needed");
        return *config.inputSize;
    }
    std::vector<int64_t> shape;
    for (size_t dim = 2; dim < config.inputShape->size(); ++dim)
        shape.push_back(inputFeatures((*config.inputShape)[dim], config.inputShape, dim));
    return shape;
}

} // namespace

BatchNorm1d::BatchNorm1d(const catalog::BatchNorm1dConfig& config)
    : m_config(config)
    , m_norm(register_module("norm",
          std::make_shared<BatchNorm>(BatchNorm::Options { channelsOf(config), config.eps,
              config.momentum, config.affine, config.trackRunningStats })))
{
}

torch::Tensor BatchNorm1d::forward(torch::Tensor input, torch::Tensor)
{
    if (m_config.combineBatchTime) {
        // Upstream reshapes [B, T, F, C] to [B*T, C, F] and does not transpose: features and
        // channels are interleaved.
        const torch::Tensor x = input.flatten(0, 1);
        return m_norm->forward(x.dim() == 3 ? x.reshape({ x.size(0), x.size(2), x.size(1) }) : x)
            .reshape(input.sizes());
    }
    if (m_config.skipTranspose)
        return m_norm->forward(input);
    return m_norm->forward(input.transpose(-1, 1)).transpose(1, -1);
}

BatchNorm2d::BatchNorm2d(const catalog::BatchNorm2dConfig& config)
    : m_norm(register_module("norm",
        std::make_shared<BatchNorm>(
            BatchNorm::Options { inputFeatures(config.inputSize, config.inputShape,
                                     config.inputShape ? config.inputShape->size() - 1 : 0),
                config.eps, config.momentum, config.affine, config.trackRunningStats })))
{
}

torch::Tensor BatchNorm2d::forward(torch::Tensor input, torch::Tensor)
{
    return m_norm->forward(input.transpose(-1, 1)).transpose(1, -1);
}

LayerNorm::LayerNorm(const catalog::LayerNormConfig& config)
    : m_norm(register_module("norm",
        torch::nn::LayerNorm(torch::nn::LayerNormOptions(normalisedShape(config))
                                 .eps(config.eps)
                                 .elementwise_affine(config.elementwiseAffine))))
{
}

torch::Tensor LayerNorm::forward(torch::Tensor input, torch::Tensor)
{
    return m_norm->forward(input);
}

std::shared_ptr<Layer> makeLayerNorm(std::vector<int64_t> sizes)
{
    catalog::LayerNormConfig config;
    config.inputSize = std::move(sizes);
    return std::make_shared<LayerNorm>(config);
}

std::shared_ptr<Layer> makeBatchNorm1d(int64_t channels)
{
    catalog::BatchNorm1dConfig config;
    config.inputSize = channels;
    return std::make_shared<BatchNorm1d>(config);
}

} // namespace earwright::model
