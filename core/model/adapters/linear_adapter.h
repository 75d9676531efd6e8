#pragma once

#include <functional>
#include <memory>
#include <torch/nn/module.h>

// Shapes: I features that come in, O that go out; a leading … is any.

namespace earwright::catalog {
struct LoraAdapterConfig;
struct HoulsbyAdapterConfig;
} // namespace earwright::catalog

namespace earwright::model {

/// Of a linear map; the bias is undefined where it has none.
struct LinearWeights {
    torch::Tensor weight_OI;
    torch::Tensor bias_O;
};

/// A pretrained linear map with what is trained beside it. Its children have upstream's names.
class LinearAdapter : public torch::nn::Module {
public:
    /// […, I] -> […, O].
    virtual torch::Tensor forward(const torch::Tensor& input) = 0;
    /// [O, I]: of the one linear map that both make together. Throws c10::Error where they make
    /// none.
    virtual torch::Tensor weight() const = 0;
    /// [O]: of the pretrained map; undefined where it has none.
    virtual torch::Tensor bias() const = 0;
};

/// Throws c10::Error, which says why, where a linear map cannot do with an adapter.
using CheckAdapter = std::function<void(const LinearAdapter&)>;

/// Makes an adapter of the weights that it takes over.
using MakeAdapter = std::function<std::shared_ptr<LinearAdapter>(LinearWeights)>;

/// A linear map of a model that can be given an adapter.
class Adaptable {
public:
    virtual ~Adaptable() = default;
    /// The adapter takes weight and bias over: its children become those of this module, which has
    /// no parameters of its own any more. Once. Throws c10::Error where what uses the map cannot do
    /// with such an adapter.
    virtual void adapt(const MakeAdapter& make) = 0;
    virtual bool isAdapted() const = 0;
    /// Of the map with its adapter. Throws c10::Error as LinearAdapter::weight().
    virtual LinearWeights weightsInForce() const = 0;
};

/// speechbrain.nnet.adapters.LoRA (Hu et al. 2021): W x + b + up(down(x)) alpha / rank. `down` is
/// drawn as a torch.nn.Linear and `up` begins at 0, so that nothing changes at first. W and b
/// (`pretrained_module`) are frozen.
MakeAdapter loraMaker(const catalog::LoraAdapterConfig& config);

/// speechbrain.nnet.adapters.HoulsbyAdapterLinear (Houlsby et al. 2019): y + up(act(down(y))) of
/// y = W x + b. Both layers are drawn as torch.nn.Linear, with biases of 0: unlike LoRA it changes
/// the output at once. W and b (`pretrained_linear`) are trained or frozen as they were before.
MakeAdapter houlsbyMaker(const catalog::HoulsbyAdapterConfig& config);

} // namespace earwright::model
