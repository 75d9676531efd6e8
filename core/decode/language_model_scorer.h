#pragma once

#include "core/decode/step_scorer.h"
#include "core/model/language/language_model.h"

namespace earwright::decode {

/// speechbrain.decoders.scorer.RNNLMScorer and TransformerLMScorer: log-probabilities of a neural
/// language model. What it computed of a text is kept between the tokens.
class LanguageModelScorer final : public StepScorer {
public:
    /// The model is in evaluation and on the device of the search.
    LanguageModelScorer(std::shared_ptr<model::LanguageModel> model, double temperature)
        : m_model(std::move(model))
        , m_temperature(temperature)
    {
    }
    void start(int64_t beams) override;
    torch::Tensor score(const torch::Tensor& tokens_N, const torch::Tensor& candidates_NC) override;
    void keep(const torch::Tensor& from_N, const torch::Tensor& tokens_N) override;

private:
    std::shared_ptr<model::LanguageModel> m_model;
    double m_temperature;
    std::unique_ptr<model::LanguageModel::Memory> m_memory;
};

} // namespace earwright::decode
