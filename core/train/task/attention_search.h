#pragma once

#include "core/base/result.h"
#include "core/decode/ngram.h"
#include "core/decode/s2s_search.h"
#include "core/model/transformer/transformer_asr.h"
#include "core/settings/search_setting.h"
#include "core/train/task/load_language_model.h"

#include <optional>

namespace earwright::train {

/// What a search is run over.
struct SearchedLayers {
    std::shared_ptr<model::TransformerAsr> transformer;
    std::shared_ptr<model::Layer> seqLin; ///< the decoder's output layer
    std::shared_ptr<model::Layer> ctcLin; ///< of a CTCScorer
};

/// A recipe's `valid_search` or `test_search` (settings/search_setting.h).
class AttentionSearch final {
public:
    /// Errors name the place in the recipe: what the check tells. Language models and n-grams are
    /// loaded; where a test's cannot be, problem() says why.
    static Result<AttentionSearch> from(const recipe::Node& recipe, const recipe::Entry& search,
        SearchedLayers layers, LanguageModels& models);

    bool isGreedy() const { return m_isGreedy; }
    /// Why search() must not be called: a scorer could not be loaded. "" where all are.
    const std::string& problem() const { return m_problem; }
    /// Of a beam search: all hypotheses of `beamSize` beams (none: the recipe's, `topk` at least),
    /// or the best alone where `topk` is 1.
    void keep(int64_t topk, std::optional<int64_t> beamSize);

    /// The hypotheses of each row. Layers run as the caller's autocast says; language models come
    /// to the encoder's device. lengths_B: relative.
    decode::S2SHypotheses search(
        const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const;

private:
    struct WeightedModel {
        std::shared_ptr<model::LanguageModel> model;
        double weight = 0;
        double temperature = 1;
    };
    Status loadScorers(const settings::SearchSetting& setting, LanguageModels& models);
    decode::BeamScorers scorersOn(c10::Device device) const;

    SearchedLayers m_layers;
    bool m_isGreedy = false;
    decode::S2SBeamOptions m_options;
    std::vector<WeightedModel> m_languageModels;
    std::optional<settings::KenLmSetting> m_ngram;
    std::shared_ptr<const decode::NgramModel> m_ngramModel;
    std::string m_problem;
};

} // namespace earwright::train
