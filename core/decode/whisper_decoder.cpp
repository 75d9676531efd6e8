#include "core/decode/whisper_decoder.h"

#include <torch/utils.h>

namespace earwright::decode {

void WhisperStepDecoder::start(
    const torch::Tensor& encoder_BTD, const torch::Tensor&, int64_t beams)
{
    const torch::NoGradGuard noGrad;
    m_search = m_whisper->startSearch(encoder_BTD);
    if (!m_prompt_BP.defined() || m_prompt_BP.numel() == 0)
        return;
    const int64_t rows = encoder_BTD.size(-3);
    const torch::Tensor tokens_BP = m_prompt_BP.to(encoder_BTD.device()).expand({ rows, -1 });
    m_whisper->model().decoder().step(tokens_BP, m_search);
    if (beams > 1)
        m_search.reorder(torch::arange(rows, tokens_BP.options()).repeat_interleave(beams));
}

torch::Tensor WhisperStepDecoder::next(const torch::Tensor& tokens_N)
{
    const torch::NoGradGuard noGrad;
    model::WhisperDecoder& decoder = m_whisper->model().decoder();
    return decoder.logits(decoder.step(tokens_N.unsqueeze(1), m_search)).squeeze(1);
}

void WhisperStepDecoder::reorder(const torch::Tensor& rows_N)
{
    m_search.reorder(rows_N);
}

} // namespace earwright::decode
