#include "core/decode/hotwords.h"
#include "core/decode/phrase_path.h"
#include "core/tasks/seaco/task.h"

#include <algorithm>
#include <limits>

namespace earwright::train {

namespace {

/// The hotwords that take part in decoding at once; of more, those the model looks at most.
constexpr int64_t kMostHotwords = 50;

/// One row of all, where its tokens are.
model::ParaformerDecoded rowOf(const model::ParaformerDecoded& decoded, int64_t row, int64_t count)
{
    const auto own
        = [&](const torch::Tensor& x) { return x.narrow(0, row, 1).narrow(1, 0, count); };
    return { own(decoded.logProbs_BUV), own(decoded.hidden_BUD), own(decoded.embeds_BUD),
        own(decoded.valid_BU), decoded.counts_B.narrow(0, row, 1) };
}

/// Those of the list that take part; the last, which is none of them, is no phrase.
std::vector<std::vector<int64_t>> phrasesAt(
    const torch::Tensor& indices_H, const std::vector<std::vector<int64_t>>& list)
{
    const torch::Tensor indices = indices_H.cpu();
    std::vector<std::vector<int64_t>> phrases;
    for (int64_t i = 0; i < indices.size(0); ++i) {
        const auto index = static_cast<size_t>(indices[i].item<int64_t>());
        if (index + 1 < list.size())
            phrases.push_back(list[index]);
    }
    return phrases;
}

} // namespace

Status SeacoTask::prefer(double nats)
{
    if (const Status fits = decode::checkHotwordWeight(nats); !fits)
        return fits;
    m_seaco->setHotwordWeight(nats);
    return Done {};
}

Status SeacoTask::listenFor(const std::vector<std::string>& phrases)
{
    m_hotwords.clear();
    m_leftOut.clear();
    m_hint.clear();
    for (const std::string& phrase : phrases) {
        const Result<data::TextEncoder::Cuts> cuts = textEncoder().encodePhrase(phrase);
        if (cuts && cuts->front().empty())
            continue; // nothing but what the tokenizer takes for blanks
        if (cuts && !textEncoder().hasUnknown(cuts->front()))
            m_hotwords.insert(m_hotwords.end(), cuts->begin(), cuts->end());
        else
            leaveOut(phrase);
    }
    if (!m_hotwords.empty())
        m_hotwords.push_back({ recogniser().config().sos });
    return Done {};
}

void SeacoTask::leaveOut(const std::string& phrase)
{
    m_leftOut.push_back(phrase);
    const auto isSpelled = [this](const std::string& text) {
        const Result<std::vector<int64_t>> tokens = textEncoder().encode(text);
        return tokens && !textEncoder().hasUnknown(*tokens);
    };
    if (const std::string hint = decode::spellingHint(phrase, isSpelled); !hint.empty())
        m_hint = hint;
}

/// Log probabilities that are certain of the likeliest text in which a whole hotword counts for
/// hotword_weight more.
torch::Tensor SeacoTask::preferring(
    const model::ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const
{
    const torch::Tensor taking_H = m_seaco->lookedAt(decoded, hotwords_HD, kMostHotwords);
    const torch::Tensor mixture
        = m_seaco->mixture(decoded, hotwords_HD.index_select(0, taking_H)).to(torch::kCPU);
    const std::vector<std::vector<int64_t>> phrases = phrasesAt(taking_H, m_hotwords);
    const torch::Tensor counts_B = decoded.counts_B.cpu();
    torch::Tensor certain = torch::full_like(mixture, -std::numeric_limits<float>::infinity());
    for (int64_t row = 0; row < mixture.size(0); ++row) {
        const auto count = counts_B[row].item<int64_t>();
        const auto path = decode::phrasePath(
            mixture[row].narrow(0, 0, count), phrases, m_seaco->config().hotwordWeight);
        certain[row]
            .narrow(0, 0, count)
            .scatter_(1, torch::tensor(path, torch::kLong).unsqueeze(1), 0);
    }
    return certain.to(decoded.logProbs_BUV.device());
}

torch::Tensor SeacoTask::withHotwords(
    const model::ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const
{
    return m_seaco->config().hotwordWeight == 0
        ? m_seaco->decode(decoded, hotwords_HD, kMostHotwords)
        : preferring(decoded, hotwords_HD);
}

/// With many hotwords a row at a time: which take part is the row's own affair.
torch::Tensor SeacoTask::biased(const model::ParaformerDecoded& decoded) const
{
    const torch::Tensor hotwords_HD
        = m_seaco->represent(recogniser(), model::hotwordsOf(m_hotwords, device()));
    if (std::ssize(m_hotwords) <= kMostHotwords)
        return withHotwords(decoded, hotwords_HD);
    torch::Tensor logProbs = decoded.logProbs_BUV.clone();
    for (int64_t row = 0; row < logProbs.size(0); ++row) {
        const auto count = decoded.counts_B[row].item<int64_t>();
        if (count == 0)
            continue;
        logProbs.narrow(0, row, 1)
            .narrow(1, 0, count)
            .copy_(withHotwords(rowOf(decoded, row, count), hotwords_HD));
    }
    return logProbs;
}

} // namespace earwright::train
