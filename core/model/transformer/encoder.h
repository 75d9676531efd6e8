#pragma once

#include "core/catalog/configs/transformer.h"
#include "core/model/transformer/attention.h"
#include "core/model/transformer/feed_forward.h"

#include <torch/nn/module.h>

namespace earwright::model {

/// One layer of an encoder: x_BTD -> [B, T, D].
class EncoderLayer : public torch::nn::Module {
public:
    virtual torch::Tensor forward(
        const torch::Tensor& x_BTD, const AttentionMask& mask, const torch::Tensor& distances_TD)
        = 0;
};

/// Layers under `layers`, then the norm `norm`. In training a layer is left out with probability
/// layerdrop_prob, decided on the host (layer_drop.h).
class Encoder final : public Layer {
public:
    Encoder(std::vector<std::shared_ptr<EncoderLayer>> layers, int64_t width, double layerDrop);
    torch::Tensor forward(
        torch::Tensor x_BTD, const AttentionMask& mask, const torch::Tensor& distances_TD);
    /// Of layers that ask for no distances. lengths_B: relative, or undefined.
    torch::Tensor forward(torch::Tensor x_BTD, torch::Tensor lengths_B = {}) override;
    bool hidesPadding() const override { return true; }
    double layerDrop() const { return m_layerDrop; }
    int64_t width() const { return m_width; }

private:
    std::vector<std::shared_ptr<EncoderLayer>> m_layers;
    std::shared_ptr<Norm> m_norm;
    int64_t m_width;
    double m_layerDrop;
};

/// Whether an encoder in it leaves out layers in training, whose weights then get no gradient.
bool dropsLayers(const torch::nn::Module& module);

/// encoder_module "transformer" | "conformer" | "branchformer". Throws c10::Error where the
/// arguments do not fit together.
std::shared_ptr<Encoder> makeEncoder(const catalog::TransformerAsrConfig& config);

std::shared_ptr<EncoderLayer> makeTransformerLayer(const catalog::TransformerAsrConfig& config);
std::shared_ptr<EncoderLayer> makeConformerLayer(const catalog::TransformerAsrConfig& config);
std::shared_ptr<EncoderLayer> makeBranchformerLayer(const catalog::TransformerAsrConfig& config);

AttentionSize attentionSize(const catalog::TransformerAsrConfig& config);
/// Upstream's default of `causal` is true.
bool isCausal(const catalog::TransformerAsrConfig& config);

} // namespace earwright::model
