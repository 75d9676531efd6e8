#pragma once

#include "core/decode/step_decoder.h"
#include "core/model/layer.h"
#include "core/model/transformer/transformer_asr.h"

#include <memory>

namespace earwright::decode {

/// speechbrain's S2STransformer…Searcher: the decoder of a TransformerASR and its output
/// layer. Keys and values of tokens and frames are kept between the steps.
class TransformerDecoder final : public StepDecoder {
public:
    TransformerDecoder(
        std::shared_ptr<model::TransformerAsr> transformer, std::shared_ptr<model::Layer> output)
        : m_transformer(std::move(transformer))
        , m_output(std::move(output))
    {
    }
    void start(
        const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B, int64_t beams) override;
    torch::Tensor next(const torch::Tensor& tokens_N) override;
    void reorder(const torch::Tensor& rows_N) override;
    void keepAttention() override { m_keepsAttention = true; }
    torch::Tensor attention() const override { return m_search.layers.back().weights_NS; }

private:
    std::shared_ptr<model::TransformerAsr> m_transformer;
    std::shared_ptr<model::Layer> m_output;
    model::TransformerAsr::Search m_search;
    bool m_keepsAttention = false;
};

} // namespace earwright::decode
