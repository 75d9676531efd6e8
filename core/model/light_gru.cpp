#include "core/model/light_gru.h"

#include "core/model/autocast_off.h"
#include "core/model/linear.h"

#include <torch/nn/init.h>
#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>

namespace earwright::model {

namespace {

Nonlinearity nonlinearityOf(const std::string& name)
{
    if (name == "tanh")
        return Nonlinearity::Tanh;
    if (name == "sin")
        return Nonlinearity::Sin;
    return name == "leaky_relu" ? Nonlinearity::LeakyRelu : Nonlinearity::Relu;
}

// Upstream's momentum of this layer alone.
constexpr double kMomentum = 0.05;

} // namespace

LightGruLayer::LightGruLayer(const catalog::LiGruConfig& config, int64_t inputSize)
    : m_hiddenSize(config.hiddenSize)
    , m_bidirectional(config.bidirectional)
    , m_dropout(config.dropout)
    , m_act(nonlinearityOf(config.nonlinearity))
{
    const int64_t gates = 2 * config.hiddenSize;
    m_w = register_module("w", Projection(torch::nn::LinearOptions(inputSize, gates).bias(false)));
    m_u = register_module(
        "u", Projection(torch::nn::LinearOptions(config.hiddenSize, gates).bias(false)));
    m_u->checkAdaptersBy([](const LinearAdapter& adapter) { (void)adapter.weight(); });
    if (config.normalization == "batchnorm")
        m_batchNorm = register_module("norm",
            std::make_shared<BatchNorm>(
                BatchNorm::Options { .channels = gates, .momentum = kMomentum }));
    else
        m_layerNorm
            = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({ gates })));
    if (!config.bias)
        (m_batchNorm ? m_batchNorm->bias : m_layerNorm->bias).set_requires_grad(false);
    register_buffer("h_init", torch::zeros({ 1, config.hiddenSize }));
    register_buffer("drop_mask_te", torch::ones(1));
    if (config.reInit)
        torch::nn::init::orthogonal_(m_u->weight);
}

torch::Tensor LightGruLayer::normalise(const torch::Tensor& x_BTG)
{
    return m_batchNorm ? m_batchNorm->forward(x_BTG.flatten(0, 1)).view(x_BTG.sizes())
                       : m_layerNorm->forward(x_BTG);
}

torch::Tensor LightGruLayer::forward(const torch::Tensor& x_BTF)
{
    // Time first: the loop then reads and writes whole blocks of memory.
    torch::Tensor x = x_BTF.transpose(0, 1);
    if (m_bidirectional)
        x = torch::cat({ x, x.flip(0) }, 1);
    const torch::Tensor gates = normalise(m_w->forward(x.contiguous()));
    torch::Tensor mask;
    if (is_training() && m_dropout > 0)
        mask = torch::empty({ gates.size(1), m_hiddenSize }, gates.options().dtype(fullType(gates)))
                   .bernoulli_(1 - m_dropout)
                   .div_(1 - m_dropout);
    const AutocastOff sameTypes(gates.device().type());
    torch::Tensor h = lightGru(gates, m_u->weightInForce(), mask, m_act);
    if (m_bidirectional) {
        const auto directions = h.chunk(2, 1);
        h = torch::cat({ directions[0], directions[1].flip(0) }, 2);
    }
    return h.transpose(0, 1);
}

LightGru::LightGru(const catalog::LiGruConfig& config)
    : m_hiddenSize(config.hiddenSize)
    , m_bidirectional(config.bidirectional)
{
    torch::nn::ModuleList list;
    register_module("rnn", list);
    int64_t inputSize = inputFeatures({}, config.inputShape, 2);
    for (int64_t layer = 0; layer < config.numLayers; ++layer) {
        m_layers.push_back(std::make_shared<LightGruLayer>(config, inputSize));
        list->push_back(m_layers.back());
        inputSize = config.hiddenSize * (config.bidirectional ? 2 : 1);
    }
}

torch::Tensor LightGru::forward(torch::Tensor input, torch::Tensor)
{
    return forwardWithState(std::move(input)).output;
}

LightGru::Output LightGru::forwardWithState(torch::Tensor input)
{
    if (input.dim() == 4)
        input = input.flatten(2);
    std::vector<torch::Tensor> last;
    for (const auto& layer : m_layers) {
        input = layer->forward(input);
        last.push_back(input.select(1, -1));
    }
    const torch::Tensor states = torch::stack(last, 1);
    const torch::Tensor hidden = m_bidirectional
        ? states.reshape({ states.size(1) * 2, states.size(0), m_hiddenSize })
        : states.transpose(0, 1);
    return { input, hidden };
}

} // namespace earwright::model
