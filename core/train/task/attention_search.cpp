#include "core/train/task/attention_search.h"

#include "core/decode/language_model_scorer.h"
#include "core/decode/token_ngram_scorer.h"
#include "core/decode/transformer_decoder.h"
#include "core/model/autocast_off.h"

#include <algorithm>
#include <cmath>

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

std::vector<std::vector<decode::CtcHypothesis>> hypothesesOf(const decode::S2SHypotheses& found,
    const std::function<std::string(std::vector<int64_t>)>& textOf)
{
    std::vector<std::vector<decode::CtcHypothesis>> rows(
        static_cast<size_t>(found.tokens_BKL.size(0)));
    for (int64_t place = 0; place < found.tokens_BKL.size(1); ++place) {
        std::vector<std::vector<int64_t>> tokens = found.best(place);
        for (size_t row = 0; row < rows.size(); ++row) {
            const double score = found.scores_BK[static_cast<int64_t>(row)][place].item<double>();
            if (place > 0 && !std::isfinite(score)) // the beam had fewer that may end
                continue;
            rows[row].push_back({ .text = textOf(std::move(tokens[row])),
                .score = score,
                .rank = score,
                .words = {} });
        }
    }
    return rows;
}

Result<AttentionSearch> AttentionSearch::from(
    const recipe::Node& recipe, const recipe::Entry& search, SearchedLayers layers)
{
    std::vector<recipe::Diagnostic> found;
    AttentionSearch made;
    made.m_setting = settings::readSearch(recipe, search, found);
    made.m_layers = std::move(layers);
    if (const Status accepted = refusalOf(found); !accepted)
        return accepted.error();
    return made;
}

void AttentionSearch::setTokens(const SearchedTokens& tokens)
{
    catalog::S2SBeamOptions& options = m_setting.options;
    options.bosIndex = tokens.bosIndex;
    options.eosIndex = tokens.eosIndex;
    options.maxTokens = tokens.most;
}

Status AttentionSearch::load(LanguageModels& loaded)
{
    if (m_models)
        return Done {};
    if (!m_setting.problem.empty())
        return Error { m_setting.problem };
    std::vector<NotLoaded> problems;
    SearchModels models = loadSearchModels(m_setting, loaded, problems);
    if (!problems.empty())
        return Error { problems.front().why };
    m_models = std::move(models);
    return Done {};
}

void AttentionSearch::keep(int64_t topk, std::optional<int64_t> beamSize)
{
    catalog::S2SBeamOptions& options = m_setting.options;
    options.beamSize = beamSize.value_or(std::max(options.beamSize, topk));
    options.topk = topk > 1 ? options.beamSize : 1;
}

decode::BeamScorers AttentionSearch::scorersOn(c10::Device device) const
{
    decode::BeamScorers scorers { .ctc = [this](const torch::Tensor& encoder_BTD) {
        const torch::Tensor logits = m_layers.ctcLin->forward(encoder_BTD);
        return logits.to(model::fullType(logits)).log_softmax(-1);
    } };
    for (size_t i = 0; i < m_models->languageModels.size(); ++i) {
        const std::shared_ptr<model::LanguageModel>& model = m_models->languageModels[i];
        const settings::LanguageModelSetting& setting = m_setting.languageModels[i];
        if (model->parameters().front().device() != device)
            model->to(device);
        scorers.others.push_back(
            { std::make_shared<decode::LanguageModelScorer>(model, setting.temperature),
                setting.weight });
    }
    if (const auto& ngram = m_setting.ngram)
        scorers.others.push_back(
            { std::make_shared<decode::TokenNgramScorer>(m_models->ngram, ngram->tokens),
                ngram->weight, ngram->isPartial });
    return scorers;
}

decode::S2SHypotheses AttentionSearch::search(
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const
{
    decode::TransformerDecoder decoder(m_layers.transformer, m_layers.seqLin);
    return search(decoder, encoder_BTD, lengths_B);
}

decode::S2SHypotheses AttentionSearch::search(decode::StepDecoder& decoder,
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const
{
    TORCH_CHECK(m_models, "a search's scorers are not loaded");
    if (m_setting.isGreedy)
        return decode::greedyS2S(decoder, m_setting.options, encoder_BTD, lengths_B);
    return decode::beamS2S(
        decoder, m_setting.options, encoder_BTD, lengths_B, scorersOn(encoder_BTD.device()));
}

} // namespace earwright::train
