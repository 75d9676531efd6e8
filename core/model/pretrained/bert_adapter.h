#pragma once

#include "core/model/pretrained/bert_attention.h"
#include "core/model/pretrained/wave_layer.h"

#include <torch/nn/modules/conv.h>

// Shapes: B rows, T frames, S frames of the shortened output, D width.

namespace earwright::model {

/// A layer of BertAdapter: gated convolutions with a stride shorten both what attention sees and
/// what its output is added to.
class BertAdapterLayer;

/// `adapter` of w2v-BERT: shortens and may narrow the encoder's output.
class BertAdapter final : public torch::nn::Module {
public:
    /// Of a config that has an adapter.
    explicit BertAdapter(const EncoderConfig& config);

    /// frames_B: int64 or undefined; become those of the output. x_BTD -> [B, S, D].
    torch::Tensor forward(torch::Tensor x_BTD, torch::Tensor& frames_B);

private:
    const EncoderConfig m_config;
    Projection m_projection = nullptr; ///< null where the width stays
    torch::nn::LayerNorm m_norm = nullptr;
    std::vector<std::shared_ptr<BertAdapterLayer>> m_layers;
};

} // namespace earwright::model
