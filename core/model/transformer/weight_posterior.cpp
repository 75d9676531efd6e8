#include "core/model/transformer/weight_posterior.h"

#include "core/model/autocast_off.h"
#include "core/model/transformer/feed_forward.h"

#include <ATen/Context.h>
#include <cmath>
#include <mutex>

namespace earwright::model {

namespace {

/// A generator of its own, so that a draw moves no other.
std::optional<at::Generator> generatorFrom(std::optional<uint64_t> seed, c10::Device device)
{
    if (!seed)
        return std::nullopt;
    at::Generator shared = at::globalContext().defaultGenerator(device);
    const std::lock_guard lock(shared.mutex());
    at::Generator own = shared.clone();
    own.set_current_seed(*seed);
    return own;
}

} // namespace

WeightPosterior::WeightPosterior(torch::nn::Module& model, const PosteriorStart& start)
    : m_priorLogScale(start.priorLogScale)
{
    for (const auto& part : model.modules(false)) {
        if (!std::dynamic_pointer_cast<FeedForward>(part))
            continue;
        for (const auto& child : part->modules(false)) {
            const auto layer = std::dynamic_pointer_cast<ProjectionImpl>(child);
            if (!layer)
                continue;
            TORCH_CHECK(!layer->isAdapted(),
                "a feed-forward layer with an adapter has no weights to draw: leave out the "
                "AdaptedModel, or train without Bayesian weights");
            add(layer, "weight", layer->weight, start.softplusInvScale);
            add(layer, "bias", layer->bias, start.softplusInvScale);
        }
    }
    TORCH_CHECK(!m_weights.empty(), "the model has no feed-forward layer with weights to draw");
}

void WeightPosterior::add(const std::shared_ptr<ProjectionImpl>& layer, const std::string& name,
    torch::Tensor& parameter, double softplusInvScale)
{
    const torch::NoGradGuard noGrad;
    parameter.zero_();
    m_weights.push_back({ .layer = layer,
        .inForce = &parameter,
        .mean = parameter,
        .softplusInvScale = layer->register_parameter(
            name + "_softplus_inv_scale", torch::full_like(parameter, softplusInvScale)) });
}

void WeightPosterior::draw(std::optional<uint64_t> seed)
{
    const c10::Device device = m_weights.front().mean.device();
    const AutocastOff full(device.type());
    const std::optional<at::Generator> generator = generatorFrom(seed, device);
    for (Weight& one : m_weights) {
        one.scale = torch::softplus(one.softplusInvScale);
        one.noise = torch::randn(one.mean.sizes(), generator, one.mean.options());
        *one.inForce = torch::addcmul(one.mean, one.scale, one.noise);
    }
}

/// The normal's constants cancel out. The posterior's exponent is that of the noise, whatever mean
/// and scale are.
torch::Tensor WeightPosterior::divergence() const
{
    const AutocastOff full(m_weights.front().mean.device().type());
    const double precision = std::exp(-2 * m_priorLogScale);
    torch::Tensor sum;
    for (const Weight& one : m_weights) {
        const torch::Tensor ofPrior = 0.5 * precision * one.inForce->square().sum()
            + m_priorLogScale * static_cast<double>(one.mean.numel());
        const torch::Tensor ofPosterior = 0.5 * one.noise.square().sum() + one.scale.log().sum();
        const torch::Tensor difference = ofPrior - ofPosterior;
        sum = sum.defined() ? sum + difference : difference;
    }
    return sum;
}

} // namespace earwright::model
