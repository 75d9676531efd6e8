#pragma once

#include "core/model/layer.h"
#include "core/model/projection.h"
#include "core/recipe/node.h"

#include <string_view>
#include <torch/nn/modules/normalization.h>

namespace earwright::model {

/// speechbrain's LayerNorm: torch's as child `norm`.
class Norm final : public torch::nn::Module {
public:
    explicit Norm(int64_t width, double eps = 1e-5);
    torch::Tensor forward(const torch::Tensor& x) { return m_norm(x); }

private:
    torch::nn::LayerNorm m_norm;
};

/// An elementwise function chosen by the recipe: class node (may be null) and the class if it is.
struct ActivationChoice {
    recipe::NodePtr node;
    std::string_view fallback;

    std::shared_ptr<Layer> make() const;
};

/// PositionalwiseFeedForward: linear, activation, dropout, linear; children ffn.0 and ffn.3.
class FeedForward final : public torch::nn::Module {
public:
    FeedForward(int64_t width, int64_t hidden, const ActivationChoice& activation, double dropout);
    torch::Tensor forward(const torch::Tensor& x);

private:
    Projection m_up;
    Projection m_down;
    std::shared_ptr<Layer> m_activation;
    double m_dropout;
};

/// A Conformer's half of feed-forward: norm (0), feed-forward (1), dropout.
class NormedFeedForward final : public torch::nn::Module {
public:
    NormedFeedForward(
        int64_t width, int64_t hidden, const ActivationChoice& activation, double dropout);
    torch::Tensor forward(const torch::Tensor& x);

private:
    torch::nn::LayerNorm m_norm;
    std::shared_ptr<FeedForward> m_feedForward;
    double m_dropout;
};

} // namespace earwright::model
