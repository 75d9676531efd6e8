#include "core/model/transformer/feed_forward.h"

#include "core/model/activation.h"
#include "core/model/dropout.h"

namespace earwright::model {

namespace {

torch::nn::LayerNorm layerNorm(int64_t width, double eps)
{
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({ width }).eps(eps));
}

} // namespace

Norm::Norm(int64_t width, double eps)
    : m_norm(register_module("norm", layerNorm(width, eps)))
{
}

std::shared_ptr<Layer> ActivationChoice::make() const
{
    return makeActivation(node, fallback);
}

FeedForward::FeedForward(
    int64_t width, int64_t hidden, const ActivationChoice& activation, double dropout)
    : m_up(width, hidden)
    , m_down(hidden, width)
    , m_activation(activation.make())
    , m_dropout(dropout)
{
    const auto ffn = register_module("ffn", std::make_shared<torch::nn::Module>());
    ffn->register_module("0", m_up);
    ffn->register_module("3", m_down);
}

torch::Tensor FeedForward::forward(const torch::Tensor& x)
{
    return m_down(dropped(m_activation->forward(m_up(x)), m_dropout, is_training()));
}

NormedFeedForward::NormedFeedForward(
    int64_t width, int64_t hidden, const ActivationChoice& activation, double dropout)
    : m_norm(register_module("0", layerNorm(width, 1e-5)))
    , m_feedForward(
          register_module("1", std::make_shared<FeedForward>(width, hidden, activation, dropout)))
    , m_dropout(dropout)
{
}

torch::Tensor NormedFeedForward::forward(const torch::Tensor& x)
{
    return dropped(m_feedForward->forward(m_norm(x)), m_dropout, is_training());
}

} // namespace earwright::model
