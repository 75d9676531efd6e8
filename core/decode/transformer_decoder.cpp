#include "core/decode/transformer_decoder.h"

#include <torch/utils.h>

namespace earwright::decode {

void TransformerDecoder::start(
    const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B, int64_t)
{
    const torch::NoGradGuard noGrad;
    m_search = m_transformer->startSearch(encoder_BTD, frames_B);
    m_search.layers.back().keepsWeights = m_keepsAttention;
}

torch::Tensor TransformerDecoder::next(const torch::Tensor& tokens_N)
{
    const torch::Tensor decoded_ND = m_transformer->searchStep(tokens_N, m_search);
    return m_output->forward(decoded_ND.unsqueeze(1), {}).squeeze(1);
}

void TransformerDecoder::reorder(const torch::Tensor& rows_N)
{
    for (model::LayerMemory& layer : m_search.layers)
        layer.targets.reorder(rows_N);
}

} // namespace earwright::decode
