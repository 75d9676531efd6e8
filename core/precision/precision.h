#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <torch/optim/optimizer.h>
#include <utility>
#include <vector>

namespace earwright::precision {

enum class Type { Fp32, Tf32, Fp16, Bf16 };
Result<Type> parseType(const std::string& name); ///< fp32 | tf32 | fp16 | bf16
std::string typeName(Type type);

/// Autocast for the life of the object on exactly one device type ("cuda" or "cpu"); fp32 leaves it
/// off, tf32 allows TF32 in matmul and cuDNN, every other type forbids it there. Restores what was
/// before. Lives and dies on one thread.
class Autocast final {
public:
    Autocast(Type type, c10::DeviceType device);
    ~Autocast();
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

private:
    struct Saved;
    std::unique_ptr<Saved> m_saved;
};

/// What one optimizer step did. Tensors stay on the device: read them a step late (no synchronous
/// read in the loop).
struct StepResult {
    torch::Tensor
        gradNorm; ///< 0-d, total over all parameter groups, after unscaling, before clipping
    torch::Tensor foundInf; ///< 0-d float, 1 where a gradient was not finite (the step was then
                            ///< skipped on the device, if asked to)
    torch::Tensor lossScale; ///< 0-d float after the update; undefined without scaling
};

constexpr double kInitialScale = 65536.0; ///< torch.amp.GradScaler's

/// Precision of a run as one object with three calls: autocast, backward, step. fp16 scales the
/// loss dynamically (torch.amp.GradScaler: initial 65536, growth 2 every 2000 steps, backoff 0.5,
/// here never below 1 / 65536); its arithmetic runs on the CPU too, for tests.
///
///     { auto cast = precision.autocast(); loss = forward(); }
///     precision.backward(loss / accumulation);
///     StepResult result = precision.step(optimizer, maxGradNorm);   // unscale, clip, step or
///     skip, update the scale
class Precision final {
public:
    /// `scaleLoss`: default is fp16 only.
    Precision(Type type, Type evalType, c10::Device device, std::optional<bool> scaleLoss = {},
        double initialScale = kInitialScale);
    ~Precision();

    std::unique_ptr<Autocast> autocast() const; ///< training
    std::unique_ptr<Autocast> evalAutocast() const; ///< changing eval_precision changes this alone
    /// Of the scaled loss, with TF32 as in the forward. `keepsGraph`: another backward goes through
    /// some of it.
    void backward(const torch::Tensor& loss, bool keepsGraph = false);
    /// The same as the gradients of `inputs`, which are left as they are; undefined for those that
    /// take no part.
    std::vector<torch::Tensor> gradients(const torch::Tensor& loss,
        const std::vector<torch::Tensor>& inputs, bool keepsGraph = false) const;
    /// Gradients are those after the all-reduce: all ranks then see the same values and skip the
    /// same step. They are clipped over all parameter groups by max / (norm + 1e-6), as torch's
    /// clip_grad_norm_ does over the parameters it is given, and keep the unscaled, clipped values
    /// after the call. Parameters without a gradient are left alone. maxGradNorm <= 0 does not
    /// clip. A non-finite gradient skips the step under every precision where `skipNonFinite` or
    /// scaling.
    StepResult step(torch::optim::Optimizer& optimizer, double maxGradNorm, bool skipNonFinite);
    /// The same of several that step together: each clips its own parameters and skips by their
    /// gradients alone, as upstream's do. The result tells of all. Needs at least one.
    StepResult step(const std::vector<torch::optim::Optimizer*>& optimizers, double maxGradNorm,
        bool skipNonFinite);

    /// Named scalars to save and restore: scale, growth tracker.
    std::vector<std::pair<std::string, torch::Tensor>> state() const;
    void restore(const std::vector<std::pair<std::string, torch::Tensor>>& state);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace earwright::precision
