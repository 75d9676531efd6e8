#pragma once

#include "core/catalog/configs/language_model.h"
#include "core/model/language/language_model.h"
#include "core/model/recurrent.h"

#include <torch/nn/modules/embedding.h>

// Shapes: B rows, T tokens, V tokens of the vocabulary.

namespace earwright::model {

class Sequential;

/// speechbrain.lobes.models.RNNLM.RNNLM: embedding, recurrent layers, blocks of linear, LayerNorm
/// and activation, output layer; children `embedding`, `rnn`, `dnn`, `out`.
class RnnLm final : public LanguageModel {
public:
    /// Throws c10::Error for an rnn_class that upstream's constructor cannot call either (LiGRU has
    /// no input_size), and for a bidirectional one.
    explicit RnnLm(const catalog::RnnLmConfig& config);

    torch::Tensor forward(torch::Tensor tokens_BT, torch::Tensor lengths_B = {}) override;
    /// Logits [B, T, V] as `output`, and the state of the recurrent layers; `state`: to go on from,
    /// undefined tensors at the beginning.
    RecurrentOutput forwardWithState(const torch::Tensor& tokens_BT, const RecurrentOutput& state);

    std::unique_ptr<Memory> startTexts() const override;
    torch::Tensor step(const torch::Tensor& tokens_N, Memory& memory) override;

private:
    double m_dropout;
    torch::nn::Embedding m_embedding;
    std::shared_ptr<Recurrent> m_recurrent;
    std::shared_ptr<Sequential> m_blocks;
    std::shared_ptr<Layer> m_output;
};

} // namespace earwright::model
