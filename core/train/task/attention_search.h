#pragma once

#include "core/base/result.h"
#include "core/decode/s2s_search.h"
#include "core/model/transformer/transformer_asr.h"
#include "core/settings/search_setting.h"
#include "core/train/task/nbest_output.h"
#include "core/train/task/search_models.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace earwright::train {

/// What a search is run over; of Whisper none of them.
struct SearchedLayers {
    std::shared_ptr<model::TransformerAsr> transformer;
    std::shared_ptr<model::Layer> seqLin; ///< the decoder's output layer
    std::shared_ptr<model::Layer> ctcLin; ///< of a CTCScorer
};

/// What of a search's tokens its recipe does not say.
struct SearchedTokens {
    int64_t bosIndex = 0;
    int64_t eosIndex = 0;
    int64_t most = 0; ///< catalog::S2SOptions::maxTokens
};

/// The hypotheses of each row, best first, of at least one; `textOf` spells tokens.
std::vector<std::vector<decode::CtcHypothesis>> hypothesesOf(const decode::S2SHypotheses& found,
    const std::function<std::string(std::vector<int64_t>)>& textOf);

/// A recipe's `valid_search` or `test_search` (settings/search_setting.h).
class AttentionSearch final {
public:
    /// Reads the setting alone. Errors name the place in the recipe: what the check tells.
    static Result<AttentionSearch> from(
        const recipe::Node& recipe, const recipe::Entry& search, SearchedLayers layers);

    /// Loads the language models and the n-gram of its scorers, unless they are; before search().
    /// The error is of a file that none names, or that cannot be loaded.
    Status load(LanguageModels& loaded);

    const settings::SearchSetting& setting() const { return m_setting; }
    void setTokens(const SearchedTokens& tokens);

    bool isGreedy() const { return m_setting.isGreedy; }
    /// Of a beam search: all hypotheses of `beamSize` beams (none: the recipe's, `topk` at least),
    /// or the best alone where `topk` is 1.
    void keep(int64_t topk, std::optional<int64_t> beamSize);

    /// The hypotheses of each row. Layers run as the caller's autocast says; language models come
    /// to the encoder's device. lengths_B: relative.
    decode::S2SHypotheses search(
        const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B) const;
    /// The same of another decoder than that of the searched layers.
    decode::S2SHypotheses search(decode::StepDecoder& decoder, const torch::Tensor& encoder_BTD,
        const torch::Tensor& lengths_B) const;

private:
    decode::BeamScorers scorersOn(c10::Device device) const;

    SearchedLayers m_layers;
    settings::SearchSetting m_setting;
    std::optional<SearchModels> m_models; ///< none before load()
};

} // namespace earwright::train
