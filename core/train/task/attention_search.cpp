#include "core/train/task/attention_search.h"

#include "core/decode/transformer_decoder.h"
#include "core/model/autocast_off.h"
#include "core/settings/search_setting.h"

namespace earwright::train {

Result<AttentionSearch> AttentionSearch::from(
    const recipe::Node& recipe, const recipe::Entry& search, SearchedLayers layers)
{
    std::vector<recipe::Diagnostic> refusals;
    const settings::SearchSetting setting = settings::readSearch(recipe, search, refusals);
    if (!refusals.empty()) {
        const recipe::Span& place = refusals.front().span;
        return Error { place.file + ":" + std::to_string(place.begin.line) + ": "
            + refusals.front().message };
    }
    AttentionSearch made;
    made.m_layers = std::move(layers);
    made.m_isGreedy = setting.isGreedy;
    made.m_options = setting.options;
    return made;
}

void AttentionSearch::keep(int64_t topk, std::optional<int64_t> beamSize)
{
    m_options.beamSize = beamSize.value_or(std::max(m_options.beamSize, topk));
    m_options.topk = topk > 1 ? m_options.beamSize : 1;
}

decode::S2SHypotheses AttentionSearch::search(
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const
{
    decode::TransformerDecoder decoder(m_layers.transformer, m_layers.seqLin);
    if (m_isGreedy)
        return decode::greedyS2S(decoder, m_options, encoder_BTD, lengths_B);
    const auto ctc = [this](const torch::Tensor& encoder) {
        const torch::Tensor logits = m_layers.ctcLin->forward(encoder);
        return logits.to(model::fullType(logits)).log_softmax(-1);
    };
    return decode::beamS2S(decoder, m_options, encoder_BTD, lengths_B, ctc);
}

} // namespace earwright::train
