#pragma once

#include <cstdint>
#include <torch/nn/module.h>
#include <vector>

// FunASR's low-rank layers (funasr.models.lora.layers; Hu et al. 2021): children and parameters
// have its names. `weight` is frozen and the bias is trained, as there. Upstream adds the product
// to `weight` in the layer's own eval(), which a model's eval() never calls: it is never merged
// here. Shapes: I features that come in, O that go out, R rank, G groups of outputs that are
// adapted; a leading … is any.

namespace earwright::model {

struct LoraSize {
    int64_t rank = 8; ///< at least 1
    double alpha = 16; ///< what is added is multiplied by alpha / rank
    double dropout = 0; ///< of what `lora_A` is given, in training

    double scale() const { return alpha / static_cast<double>(rank); }
};

/// Linear: W x + b + B A dropout(x) alpha / R. `lora_A` is drawn as a torch.nn.Linear's weight, and
/// `lora_B` begins at 0.
class LoraLinear final : public torch::nn::Module {
public:
    LoraLinear(int64_t inputs, int64_t outputs, const LoraSize& size);
    /// […, I] -> […, O].
    torch::Tensor forward(const torch::Tensor& x);

private:
    const LoraSize m_size;
    torch::Tensor m_weight_OI, m_bias_O, m_a_RI, m_b_OR;
};

/// MergedLinear: several linear maps in one, of which some are adapted, each by an A and a B of its
/// own: q and v of "q, k, v".
class LoraMergedLinear final : public torch::nn::Module {
public:
    /// `isAdapted`: of each group of outputs, in order. Throws c10::Error where the groups do not
    /// divide the outputs, and where none is adapted.
    LoraMergedLinear(
        int64_t inputs, int64_t outputs, const std::vector<bool>& isAdapted, const LoraSize& size);
    /// […, I] -> […, O].
    torch::Tensor forward(const torch::Tensor& x);

private:
    const LoraSize m_size;
    const int64_t m_groups;
    torch::Tensor m_weight_OI, m_bias_O;
    torch::Tensor m_a, m_b; ///< [G R, I] and [G O / groups, R]
    torch::Tensor m_adapted_G; ///< int64: the places of the adapted groups
};

/// Embedding: the vectors of tokens, and B A of each. `lora_A` begins at 0, and `lora_B` is drawn.
class LoraEmbedding final : public torch::nn::Module {
public:
    LoraEmbedding(int64_t tokens, int64_t width, const LoraSize& size);
    /// int64 of any shape -> the same with a last dimension of `width`.
    torch::Tensor forward(const torch::Tensor& tokens);

private:
    const LoraSize m_size;
    torch::Tensor m_weight_VD, m_a_RV, m_b_DR;
};

} // namespace earwright::model
