#include "core/decode/suppressing_decoder.h"

#include <cmath>
#include <torch/utils.h>

namespace earwright::decode {

SuppressingDecoder::SuppressingDecoder(
    StepDecoder& decoder, const std::vector<int64_t>& always, const std::vector<int64_t>& first)
    : m_decoder(decoder)
    , m_always(torch::tensor(always, torch::kInt64))
    , m_first(torch::cat({ m_always, torch::tensor(first, torch::kInt64) }))
{
}

void SuppressingDecoder::start(
    const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B, int64_t beams)
{
    m_decoder.start(encoder_BTD, frames_B, beams);
    m_always = m_always.to(encoder_BTD.device());
    m_first = m_first.to(encoder_BTD.device());
    m_isFirst = true;
}

torch::Tensor SuppressingDecoder::next(const torch::Tensor& tokens_N)
{
    const torch::NoGradGuard noGrad;
    const torch::Tensor& never = m_isFirst ? m_first : m_always;
    m_isFirst = false;
    return m_decoder.next(tokens_N).index_fill(1, never, -INFINITY);
}

} // namespace earwright::decode
