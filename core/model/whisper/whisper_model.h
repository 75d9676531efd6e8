#pragma once

#include "core/model/pretrained/encoder_stack.h"
#include "core/model/whisper/whisper_layer.h"

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/embedding.h>

// Shapes: B rows, M mel bins, F frames of 10 ms, T = F / 2 encoder frames, D width, U tokens,
// V vocabulary, N = B * hypotheses of each row.

namespace earwright::model {

/// `encoder`: two convolutions, of which the second halves the frames, positions, layers, a norm.
class WhisperEncoder final : public torch::nn::Module {
public:
    explicit WhisperEncoder(const WhisperSizes& sizes);
    /// Exactly 2 * max_source_positions frames, else c10::Error. As upstream, the last of the
    /// hidden states is behind the norm.
    LayerOutputs forward(const torch::Tensor& mel_BMF, bool keepHidden);
    /// The vectors of the positions, [T, D]: frozen until Whisper sets what is trained, as
    /// upstream's class has them.
    torch::Tensor positions_TD() { return m_positions->weight; }

private:
    const WhisperSizes m_sizes;
    torch::nn::Conv1d m_conv1;
    torch::nn::Conv1d m_conv2;
    torch::nn::Embedding m_positions;
    std::vector<std::shared_ptr<WhisperLayer>> m_layers;
    torch::nn::LayerNorm m_norm;
};

/// Where a search for texts stands.
struct WhisperSearch {
    std::vector<WhisperMemory> layers;
    int64_t tokens = 0; ///< of each row, so far
    /// Row n goes on from where row rows_N[n] of the same batch row stood.
    void reorder(const torch::Tensor& rows_N);
};

/// `decoder`: vectors of tokens and positions, layers that look at no later token, a norm.
class WhisperDecoder final : public torch::nn::Module {
public:
    explicit WhisperDecoder(const WhisperSizes& sizes);
    /// As WhisperEncoder's.
    LayerOutputs forward(
        const torch::Tensor& tokens_BU, const torch::Tensor& encoder_BTD, bool keepHidden);
    WhisperSearch startSearch(const torch::Tensor& encoder_BTD);
    /// Of the next U tokens of each row: [N, U, D].
    torch::Tensor step(const torch::Tensor& tokens_NU, WhisperSearch& search);
    /// float32 [B, U, V], by the vectors of the tokens.
    torch::Tensor logits(const torch::Tensor& x_BUD);

private:
    torch::Tensor embedded(const torch::Tensor& tokens_BU, int64_t before);

    const WhisperSizes m_sizes;
    torch::nn::Embedding m_tokens;
    torch::nn::Embedding m_positions;
    std::vector<std::shared_ptr<WhisperLayer>> m_layers;
    torch::nn::LayerNorm m_norm;
};

/// WhisperModel of `transformers`: children `encoder` and `decoder`.
class WhisperModel final : public torch::nn::Module {
public:
    explicit WhisperModel(const WhisperSizes& sizes, bool encoderOnly = false);
    /// In training features are masked first, where apply_spec_augment says so.
    LayerOutputs encode(const torch::Tensor& mel_BMF, bool keepHidden = false);

    const WhisperSizes& sizes() const { return m_sizes; }
    WhisperEncoder& encoder() { return *m_encoder; }
    /// Throws c10::Error with encoderOnly.
    WhisperDecoder& decoder();

private:
    const WhisperSizes m_sizes;
    std::shared_ptr<WhisperEncoder> m_encoder;
    std::shared_ptr<WhisperDecoder> m_decoder; ///< null with encoderOnly
};

} // namespace earwright::model
