#include "core/model/linear.h"

#include "core/model/activation.h"
#include "core/model/autocast_off.h"
#include "core/model/container.h"

#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

namespace earwright::model {

int64_t inputFeatures(
    const std::optional<int64_t>& size, const std::optional<catalog::Shape>& shape, size_t first)
{
    if (size)
        return *size;
    TORCH_CHECK(shape && shape->size() > first, "input_size or an input_shape of at least ",
        first + 1, " entries is needed");
    int64_t features = 1;
    for (size_t dim = first; dim < shape->size(); ++dim) {
        TORCH_CHECK((*shape)[dim].has_value(), "entry ", dim + 1,
            " of input_shape is null, but it sets the number of weights");
        features *= *(*shape)[dim];
    }
    return features;
}

namespace {

int64_t linearInputs(const catalog::LinearConfig& config)
{
    const bool combined = config.combineDims && config.inputShape && config.inputShape->size() == 4;
    const size_t last
        = config.inputShape && !config.inputShape->empty() ? config.inputShape->size() - 1 : 0;
    return inputFeatures(config.inputSize, config.inputShape, combined ? 2 : last);
}

} // namespace

Linear::Linear(const catalog::LinearConfig& config)
    : m_config(config)
    , m_weights(register_module("w",
          Projection(
              torch::nn::LinearOptions(linearInputs(config), config.nNeurons).bias(config.bias))))
{
    if (config.maxNorm)
        m_weights->checkAdaptersBy([](const LinearAdapter&) {
            TORCH_CHECK(false,
                "'max_norm' of Linear changes the weights in each step, and those below an adapter "
                "stay as they are: leave out one of them");
        });
}

torch::Tensor Linear::forward(torch::Tensor input, torch::Tensor)
{
    if (m_config.combineDims && input.dim() == 4)
        input = input.flatten(2);
    if (m_config.maxNorm) {
        const torch::NoGradGuard noGrad;
        m_weights->weight.copy_(torch::renorm(m_weights->weight, 2, 0, *m_config.maxNorm));
    }
    return m_weights->forward(input);
}

std::shared_ptr<Layer> makeLinear(int64_t inputs, int64_t outputs)
{
    catalog::LinearConfig config;
    config.nNeurons = outputs;
    config.inputSize = inputs;
    return std::make_shared<Linear>(config);
}

Softmax::Softmax(const catalog::SoftmaxConfig& config)
    : m_applyLog(config.applyLog)
    , m_dim(config.dim)
{
    // Upstream flattens batch and time first; only a softmax over the last dimension means the same
    // on both shapes.
    TORCH_CHECK(config.dim == -1 || !config.reshape, "dim other than -1 needs reshape: False");
}

Softmax::Softmax(const catalog::TorchSoftmaxConfig& config, bool applyLog)
    : m_applyLog(applyLog)
    , m_dim(config.dim.value_or(-1))
{
    // PyTorch's own choice would be the batch's first dimension.
    TORCH_CHECK(config.dim.has_value(), "a softmax needs dim: -1 is over the features");
}

torch::Tensor Softmax::forward(torch::Tensor input, torch::Tensor)
{
    return m_applyLog ? torch::log_softmax(input, m_dim, fullType(input))
                      : torch::softmax(input, m_dim, fullType(input));
}

std::shared_ptr<Layer> makeVanillaNn(const catalog::VanillaNnConfig& config)
{
    auto layers = std::make_shared<Sequential>();
    int64_t features = inputFeatures(
        {}, config.inputShape, config.inputShape.empty() ? 0 : config.inputShape.size() - 1);
    for (int64_t block = 0; block < config.dnnBlocks; ++block) {
        layers->append("linear", makeLinear(features, config.dnnNeurons));
        layers->append("act", makeActivation(config.activation, "torch.nn.LeakyReLU"));
        features = config.dnnNeurons;
    }
    return layers;
}

} // namespace earwright::model
