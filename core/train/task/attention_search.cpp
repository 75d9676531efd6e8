#include "core/train/task/attention_search.h"

#include "core/decode/language_model_scorer.h"
#include "core/decode/token_ngram_scorer.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/autocast_off.h"

#include <algorithm>

namespace earwright::train {

namespace {

Status refusalOf(const std::vector<recipe::Diagnostic>& found)
{
    for (const recipe::Diagnostic& one : found) {
        if (one.severity == recipe::Severity::Error)
            return Error { one.span.file + ":" + std::to_string(one.span.begin.line) + ": "
                + one.message };
    }
    return Done {};
}

} // namespace

Result<AttentionSearch> AttentionSearch::from(const recipe::Node& recipe,
    const recipe::Entry& search, SearchedLayers layers, LanguageModels& models)
{
    std::vector<recipe::Diagnostic> found;
    const settings::SearchSetting setting = settings::readSearch(recipe, search, found);
    if (const Status accepted = refusalOf(found); !accepted)
        return accepted.error();
    AttentionSearch made;
    made.m_layers = std::move(layers);
    made.m_isGreedy = setting.isGreedy;
    made.m_options = setting.options;
    made.m_problem = setting.problem;
    if (!made.m_problem.empty())
        return made;
    const Status loaded = made.loadScorers(setting, models);
    if (!loaded && search.key->text != settings::kTestSearch)
        return loaded.error();
    if (!loaded)
        made.m_problem = loaded.error().message;
    return made;
}

Status AttentionSearch::loadScorers(const settings::SearchSetting& setting, LanguageModels& models)
{
    for (const settings::LanguageModelSetting& one : setting.languageModels) {
        const auto model = models.get(*one.model, one.weights);
        if (!model)
            return model.error();
        m_languageModels.push_back({ *model, one.weight, one.temperature });
    }
    if (!setting.ngram)
        return Done {};
    auto ngram = decode::NgramModel::open(setting.ngram->file);
    if (!ngram)
        return ngram.error();
    m_ngram = setting.ngram;
    m_ngramModel = *ngram;
    return Done {};
}

void AttentionSearch::keep(int64_t topk, std::optional<int64_t> beamSize)
{
    m_options.beamSize = beamSize.value_or(std::max(m_options.beamSize, topk));
    m_options.topk = topk > 1 ? m_options.beamSize : 1;
}

decode::BeamScorers AttentionSearch::scorersOn(c10::Device device) const
{
    decode::BeamScorers scorers { .ctc = [this](const torch::Tensor& encoder_BTD) {
        const torch::Tensor logits = m_layers.ctcLin->forward(encoder_BTD);
        return logits.to(model::fullType(logits)).log_softmax(-1);
    } };
    for (const WeightedModel& one : m_languageModels) {
        if (one.model->parameters().front().device() != device)
            one.model->to(device);
        scorers.others.push_back(
            { std::make_shared<decode::LanguageModelScorer>(one.model, one.temperature),
                one.weight });
    }
    if (m_ngram)
        scorers.others.push_back(
            { std::make_shared<decode::TokenNgramScorer>(m_ngramModel, m_ngram->tokens),
                m_ngram->weight, m_ngram->isPartial });
    return scorers;
}

decode::S2SHypotheses AttentionSearch::search(
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const
{
    TORCH_CHECK(m_problem.empty(), m_problem);
    decode::TransformerDecoder decoder(m_layers.transformer, m_layers.seqLin);
    if (m_isGreedy)
        return decode::greedyS2S(decoder, m_options, encoder_BTD, lengths_B);
    return decode::beamS2S(
        decoder, m_options, encoder_BTD, lengths_B, scorersOn(encoder_BTD.device()));
}

} // namespace earwright::train
