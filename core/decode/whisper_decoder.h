#pragma once

#include "core/decode/step_decoder.h"
#include "core/model/whisper/whisper.h"

#include <memory>

namespace earwright::decode {

/// Whisper's decoder. Keys and values of tokens and frames are kept between the steps.
class WhisperStepDecoder final : public StepDecoder {
public:
    explicit WhisperStepDecoder(std::shared_ptr<model::Whisper> whisper)
        : m_whisper(std::move(whisper))
    {
    }
    /// Tokens that every text begins with, from the next start() on: <|startoftranscript|>, the
    /// language, the task. int64 [P], or of each batch row [B, P]. The last one of a prompt is the
    /// first that next() is given, so it is not among them; undefined or empty: none are.
    void setPrompt(torch::Tensor tokens_BP) { m_prompt_BP = std::move(tokens_BP); }

    /// frames_B changes nothing: Whisper sees its padding.
    void start(
        const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B, int64_t beams) override;
    torch::Tensor next(const torch::Tensor& tokens_N) override;
    void reorder(const torch::Tensor& rows_N) override;

private:
    std::shared_ptr<model::Whisper> m_whisper;
    torch::Tensor m_prompt_BP;
    model::WhisperSearch m_search;
};

} // namespace earwright::decode
