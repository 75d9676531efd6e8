#pragma once

#include "core/catalog/configs/transformer.h"
#include "core/model/layer_set.h"
#include "core/model/projection.h"
#include "core/model/transformer/decoder.h"
#include "core/model/transformer/encoder.h"
#include "core/model/transformer/positions.h"

#include <torch/nn/modules/embedding.h>

// Shapes: B rows, T frames, U target tokens, D width, N rows of a search.

namespace earwright::model {

/// speechbrain.lobes.models.transformer.TransformerASR.TransformerASR: encoder (transformer,
/// conformer, branchformer) and an optional decoder. Every parameter of two or more dimensions
/// starts Xavier normal. Frames past a row's length are hidden from attention and computed all the
/// same, as upstream.
class TransformerAsr final : public Layer {
public:
    /// Throws c10::Error for what cannot be built: output_hidden_states, arguments that do not fit
    /// together.
    explicit TransformerAsr(const catalog::TransformerAsrConfig& config);

    /// encode().
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    bool hidesPadding() const override { return true; }
    /// src: [B, T, input_size] or [B, T, F, C], flattened; lengths_B relative or undefined -> [B,
    /// T, d_model].
    torch::Tensor encode(torch::Tensor src, const torch::Tensor& lengths_B);

    struct Outputs {
        torch::Tensor encoder_BTD;
        torch::Tensor decoder_BUD;
    };
    /// tgt_BU: token ids padded with padIndex.
    Outputs transduce(torch::Tensor src, const torch::Tensor& tgt_BU,
        const torch::Tensor& lengths_B, int64_t padIndex = 0);

    /// Target tokens of the decoder; 0 without one.
    int64_t vocabulary() const { return m_decoder ? m_embedding->weight.size(0) : 0; }

    struct Decoded {
        torch::Tensor decoder_BUD;
        torch::Tensor weights_BUT; ///< of the last layer over the encoder's frames, mean over heads
    };
    /// One pass over a prefix, without gradient. frames_B: whole lengths of the encoder's rows, or
    /// undefined.
    Decoded decode(const torch::Tensor& tgt_BU, const torch::Tensor& encoder_BTD,
        const torch::Tensor& frames_B);

    /// A search in which tokens come one by one: what decode() would compute anew for every prefix
    /// is kept.
    struct Search {
        std::vector<LayerMemory> layers;
        AttentionMask encoderMask;
        int64_t length = 0; ///< tokens so far
    };
    Search startSearch(const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B);
    /// The decoder's output behind one more token of each row, [N, D]: the last of decode() in
    /// evaluation. N is a multiple of B, the rows of a batch row side by side.
    torch::Tensor searchStep(const torch::Tensor& tokens_N, Search& search);

private:
    void registerPositions(const catalog::TransformerAsrConfig& config);
    void registerTargets(const catalog::TransformerAsrConfig& config);
    void initialise();
    torch::Tensor embed(const torch::Tensor& tgt_BU);

    bool m_causal;
    bool m_isRelative;
    double m_dropout;
    double m_embeddingScale;
    Projection m_input;
    torch::nn::Embedding m_embedding = nullptr;
    std::shared_ptr<PositionalEncoding>
        m_encoderPositions; ///< null where attention knows positions by itself
    std::shared_ptr<PositionalEncoding> m_decoderPositions;
    std::shared_ptr<RelativePositions> m_distances;
    std::shared_ptr<Encoder> m_encoder;
    std::shared_ptr<Decoder> m_decoder;
};

/// speechbrain…TransformerASR.EncoderWrapper: encode() of the transformer it shares; child
/// `transformer`.
class EncoderWrapper final : public Layer {
public:
    EncoderWrapper(const catalog::EncoderWrapperConfig& config, LayerSet& layers);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    bool hidesPadding() const override { return true; }

private:
    std::shared_ptr<TransformerAsr> m_transformer;
};

} // namespace earwright::model
