#include "core/model/paraformer/seaco.h"

#include "core/model/autocast_off.h"
#include "core/model/label_loss.h"

#include <limits>

namespace earwright::model {

namespace {

/// The layer of the bias decoder whose attention filters, from 1.
constexpr size_t kFilterLayer = 6;

/// The same hotwords for every row.
Encoded asMemory(const torch::Tensor& hotwords_HD, int64_t rows)
{
    return { hotwords_HD.unsqueeze(0).expand({ rows, -1, -1 }),
        torch::ones({ rows, hotwords_HD.size(0) }, hotwords_HD.options().dtype(torch::kBool)) };
}

} // namespace

Hotwords hotwordsOf(const std::vector<std::vector<int64_t>>& words, at::Device device)
{
    size_t longest = 1;
    for (const auto& word : words)
        longest = std::max(longest, word.size());
    const auto rows = static_cast<int64_t>(words.size());
    torch::Tensor tokens = torch::zeros({ rows, static_cast<int64_t>(longest) }, torch::kLong);
    torch::Tensor counts = torch::empty({ rows }, torch::kLong);
    for (int64_t row = 0; row < rows; ++row) {
        const auto& word = words[static_cast<size_t>(row)];
        TORCH_CHECK(!word.empty(), "a hotword without tokens");
        std::copy(word.begin(), word.end(), tokens[row].data_ptr<int64_t>());
        counts[row] = static_cast<int64_t>(word.size());
    }
    return { tokens.to(device, /*non_blocking=*/true), counts };
}

torch::Tensor Seaco::represent(const Paraformer& recogniser, const Hotwords& hotwords) const
{
    const torch::Tensor embedded = recogniser.layers().decoder->embedding()(hotwords.tokens_HL);
    torch::Tensor y = m_layers.biasEncoder->run(embedded, hotwords.counts_H);
    if (m_layers.projection)
        y = m_layers.projection->forward(y);
    const torch::Tensor last_H11 = (hotwords.counts_H - 1)
                                       .to(y.device(), /*non_blocking=*/true)
                                       .view({ -1, 1, 1 })
                                       .expand({ -1, 1, y.size(2) });
    return y.gather(1, last_H11).squeeze(1);
}

torch::Tensor Seaco::scores(const torch::Tensor& embeds_BUD, const torch::Tensor& hidden_BUD,
    const torch::Tensor& valid_BU, const torch::Tensor& hotwords_HD) const
{
    const Encoded memory = asMemory(hotwords_HD, embeds_BUD.size(0));
    const torch::Tensor byEmbeds = m_layers.decoder->hidden(embeds_BUD, valid_BU, memory);
    const torch::Tensor byHidden = m_layers.decoder->hidden(hidden_BUD, valid_BU, memory);
    return m_layers.output->forward(byEmbeds + byHidden);
}

torch::Tensor Seaco::loss(const Paraformer& recogniser, const Encoded& encoded,
    const ParaformerTargets& targets, const Hotwords& hotwords,
    const torch::Tensor& labels_BL) const
{
    const torch::Tensor embeds = recogniser.align(encoded, targets).embeds_BUD;
    const torch::Tensor hidden
        = recogniser.layers().decoder->hidden(embeds, targets.valid_BU, encoded);
    const torch::Tensor all
        = scores(embeds, hidden, targets.valid_BU, represent(recogniser, hotwords));
    return labelSmoothingSum(
        all.narrow(1, 0, labels_BL.size(1)), labels_BL, { m_config.seacoLsmWeight, kIgnored });
}

torch::Tensor Seaco::lookedAt(
    const ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD, int64_t most) const
{
    const int64_t count = hotwords_HD.size(0);
    const auto whole = torch::TensorOptions(hotwords_HD.device()).dtype(torch::kLong);
    if (most <= 0 || most >= count)
        return torch::arange(count, whole);
    const torch::Tensor looked = m_layers.decoder->attention(decoded.hidden_BUD, decoded.valid_BU,
        asMemory(hotwords_HD, decoded.hidden_BUD.size(0)), kFilterLayer);
    const torch::Tensor best = std::get<1>(looked[0].sum(0).sum(0).topk(std::min(most, count - 1)));
    return torch::cat({ best, torch::full({ 1 }, count - 1, whole) });
}

/// What the bias decoder says: log probabilities in float32.
torch::Tensor Seaco::bias(const ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const
{
    const torch::Tensor biased
        = scores(decoded.embeds_BUD, decoded.hidden_BUD, decoded.valid_BU, hotwords_HD);
    const AutocastOff fullPrecision(biased.device().type());
    return biased.to(fullType(biased)).log_softmax(-1);
}

torch::Tensor Seaco::decode(const ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD,
    int64_t most, double weight) const
{
    const torch::Tensor logProbs
        = bias(decoded, hotwords_HD.index_select(0, lookedAt(decoded, hotwords_HD, most)));
    const torch::Tensor isNone
        = (logProbs.argmax(-1, true) == m_config.seacoId).to(logProbs.scalar_type());
    const torch::Tensor share = (isNone + (1 - weight) / weight) * weight;
    return decoded.logProbs_BUV * share + logProbs * (1 - share);
}

torch::Tensor Seaco::mixture(
    const ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const
{
    torch::Tensor hotwords_BUV = bias(decoded, hotwords_HD);
    const torch::Tensor none_BU1 = hotwords_BUV.narrow(-1, m_config.seacoId, 1).clone();
    hotwords_BUV.select(-1, m_config.seacoId).fill_(-std::numeric_limits<float>::infinity());
    return torch::logaddexp(hotwords_BUV, none_BU1 + decoded.logProbs_BUV);
}

} // namespace earwright::model
