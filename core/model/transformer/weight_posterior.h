#pragma once

#include "core/model/projection.h"

#include <optional>
#include <vector>

namespace earwright::model {

/// The logarithm of the prior's scale, and what the posterior's scale is the softplus of, at first.
struct PosteriorStart {
    double priorLogScale = -1;
    double softplusInvScale = -5;
};

/// Weights that are drawn for each pass from a normal distribution of their own, the posterior,
/// which training fits (Blundell et al. 2015, "Bayes by Backprop"): those of all FeedForward parts
/// of a model, weights and biases. Source: bayestorch.nn.VariationalPosteriorModule 0.0.3 over
/// SoftplusInvScaleNormal and LogScaleNormal.
///
/// The parameters `weight` and `bias` of a layer become means, which start at 0. Beside them come
/// `weight_softplus_inv_scale` and `bias_softplus_inv_scale`. (Upstream has one vector of each kind
/// for all: `posterior_loc`, `posterior_softplus_inv_scale`.)
class WeightPosterior final {
public:
    /// Throws c10::Error where `model` has no FeedForward part. Until the first draw its weights
    /// are the means.
    WeightPosterior(torch::nn::Module& model, const PosteriorStart& start);
    /// Gives the layers other weights, which stay until the next draw: of a seed the same ones on
    /// each device of a kind, without one by LibTorch's generator. A gradient reaches means and
    /// scales through them.
    void draw(std::optional<uint64_t> seed);
    /// log posterior - log prior of the weights drawn last: an estimate of the Kullback-Leibler
    /// divergence, with gradient. 0-d, float32 (float64 where the weights are).
    torch::Tensor divergence() const;

private:
    struct Weight {
        std::shared_ptr<ProjectionImpl> layer; ///< whose member inForce is
        torch::Tensor* inForce = nullptr;
        torch::Tensor mean;
        torch::Tensor softplusInvScale;
        torch::Tensor scale; ///< of the last draw, as
        torch::Tensor noise; ///< this
    };
    void add(const std::shared_ptr<ProjectionImpl>& layer, const std::string& name,
        torch::Tensor& parameter, double softplusInvScale);

    double m_priorLogScale;
    std::vector<Weight> m_weights;
};

} // namespace earwright::model
