#pragma once

#include "core/catalog/configs/optimizer.h"
#include "core/precision/skippable.h"

#include <string>
#include <torch/optim/optimizer.h>
#include <utility>
#include <vector>

namespace earwright::train {

/// What differs between parameter groups; the rest is the optimizer's.
struct GroupOptions final : torch::optim::OptimizerCloneableOptions<GroupOptions> {
    double learningRate = 1e-3; ///< the optimizer's
    double rateFactor = 1; ///< this group's over it
    double weightDecay = 0;

    double rate() const { return learningRate * rateFactor; }

    double get_lr() const override { return learningRate; }
    void set_lr(const double lr) override { learningRate = lr; }
};

/// An optimizer of whole lists of tensors: few kernels a step, and never a wait for the device.
/// State is there from the start, one slot per parameter of every group in order, beside its
/// parameter; a parameter without a gradient is left alone, weight decay included, and its step
/// count stands still.
class ListOptimizer : public torch::optim::Optimizer, public precision::Skippable {
public:
    explicit ListOptimizer(std::vector<torch::optim::OptimizerParamGroup> groups);

    torch::Tensor step(LossClosure closure = nullptr) final;
    void stepUnless(const torch::Tensor& foundInf) final;

    /// "index.name" -> tensor (not a copy), index counting over all groups.
    std::vector<std::pair<std::string, torch::Tensor>> namedState() const;

protected:
    using Tensors = std::vector<torch::Tensor>;

    /// The parameters of one group that have a gradient, and their state.
    struct Batch {
        Tensors parameters;
        Tensors gradients;
        std::vector<Tensors> state; ///< by slot
        Tensors steps; ///< 0-d float, already counting this step
        const GroupOptions* options = nullptr;
    };

    /// One zero tensor like each parameter.
    void addSlot(std::string name);

private:
    /// Updates parameters and state in place; leaves both bit-equal where foundInf (may be
    /// undefined) is 1.
    virtual void update(const Batch& batch, const torch::Tensor& foundInf) = 0;
    Batch batchOf(const torch::optim::OptimizerParamGroup& group, size_t firstIndex) const;

    struct Slot {
        std::string name;
        Tensors tensors;
    };
    std::vector<Slot> m_slots;
    torch::Tensor m_stepCounts; ///< one float per parameter
    Tensors m_steps; ///< views of m_stepCounts
};

/// Adam and AdamW by ATen's fused kernels. State: exp_avg, exp_avg_sq, max_exp_avg_sq with amsgrad.
class FusedAdam final : public ListOptimizer {
public:
    FusedAdam(
        std::vector<torch::optim::OptimizerParamGroup> groups, const catalog::AdamConfig& config);

private:
    void update(const Batch& batch, const torch::Tensor& foundInf) override;
    catalog::AdamConfig m_config;
};

/// State: momentum_buffer where there is momentum.
class FusedSgd final : public ListOptimizer {
public:
    FusedSgd(
        std::vector<torch::optim::OptimizerParamGroup> groups, const catalog::SgdConfig& config);

private:
    void update(const Batch& batch, const torch::Tensor& foundInf) override;
    void updateDamped(const Batch& batch, const torch::Tensor& foundInf) const;
    catalog::SgdConfig m_config;
};

/// State: square_avg, acc_delta.
class ListAdadelta final : public ListOptimizer {
public:
    ListAdadelta(std::vector<torch::optim::OptimizerParamGroup> groups,
        const catalog::AdadeltaConfig& config);

private:
    void update(const Batch& batch, const torch::Tensor& foundInf) override;
    catalog::AdadeltaConfig m_config;
};

} // namespace earwright::train
