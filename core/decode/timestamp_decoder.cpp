#include "core/decode/timestamp_decoder.h"

#include <cmath>
#include <torch/utils.h>

namespace earwright::decode {

namespace {

constexpr int64_t kLatestBeginning = 50; ///< in steps of 20 ms

} // namespace

void TimestampDecoder::start(
    const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B, int64_t beams)
{
    m_decoder.start(encoder_BTD, frames_B, beams);
    m_isFirst = true;
}

torch::Tensor TimestampDecoder::next(const torch::Tensor& tokens_N)
{
    const torch::NoGradGuard noGrad;
    const torch::Tensor logits_NV = m_decoder.next(tokens_N).clone();
    logits_NV.select(1, m_tokens.noTimestamps).fill_(-INFINITY);
    if (m_isFirst)
        begin(logits_NV, tokens_N);
    else
        goOn(logits_NV, tokens_N);
    m_isFirst = false;
    return logits_NV;
}

void TimestampDecoder::begin(const torch::Tensor& logits_NV, const torch::Tensor& tokens_N)
{
    logits_NV.slice(1, 0, m_tokens.firstTimestamp).fill_(-INFINITY);
    logits_NV.slice(1, m_tokens.firstTimestamp + kLatestBeginning + 1).fill_(-INFINITY);
    m_wasTime_N = torch::ones_like(tokens_N, torch::kBool);
    m_newest_N = torch::full_like(tokens_N, m_tokens.firstTimestamp);
}

/// A pair is the end of a segment and the beginning of the next, which may be the same time; no
/// segment is empty.
void TimestampDecoder::goOn(const torch::Tensor& logits_NV, const torch::Tensor& tokens_N)
{
    const int64_t first = m_tokens.firstTimestamp;
    const torch::Tensor texts_NV = logits_NV.slice(1, 0, first);
    const torch::Tensor times_NS = logits_NV.slice(1, first);
    const torch::Tensor isTime_N = tokens_N.ge(first);
    const torch::Tensor isEnd_N = isTime_N & ~m_wasTime_N;
    const torch::Tensor isBeginning_N = isTime_N & m_wasTime_N;
    m_newest_N = torch::where(isTime_N, tokens_N, m_newest_N);
    const torch::Tensor least_N = m_newest_N + isEnd_N.logical_not();
    const torch::Tensor stamps_S = torch::arange(first, logits_NV.size(1), tokens_N.options());
    times_NS.masked_fill_(
        isBeginning_N.unsqueeze(1) | stamps_S.lt(least_N.unsqueeze(1)), -INFINITY);
    logits_NV.slice(1, 0, m_tokens.endOfText).masked_fill_(isEnd_N.unsqueeze(1), -INFINITY);
    const torch::Tensor isLikelier_N = times_NS.logsumexp(1).gt(texts_NV.amax(1));
    texts_NV.masked_fill_(isLikelier_N.unsqueeze(1), -INFINITY);
    m_wasTime_N = isTime_N;
}

void TimestampDecoder::reorder(const torch::Tensor& rows_N)
{
    m_decoder.reorder(rows_N);
    m_wasTime_N = m_wasTime_N.index_select(0, rows_N);
    m_newest_N = m_newest_N.index_select(0, rows_N);
}

} // namespace earwright::decode
