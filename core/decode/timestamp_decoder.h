#pragma once

#include "core/data/whisper_tokens.h"
#include "core/decode/step_decoder.h"

namespace earwright::decode {

/// Whisper's decoder, or one that suppresses tokens of it, by the rules of time stamps. A text
/// begins with a time stamp, of 1 s at most. They come in pairs, but for the first and the last,
/// and never go back. Where all of them together are likelier than any other token, one of them
/// comes. Source: WhisperTimeStampLogitsProcessor of `transformers` 5.17 with
/// max_initial_timestamp_index 50, as OpenAI's models are published.
class TimestampDecoder final : public StepDecoder {
public:
    /// What `decoder` is told before a text does not end with <|notimestamps|>. The vocabulary goes
    /// on behind the first time stamp.
    TimestampDecoder(StepDecoder& decoder, const data::WhisperTokens& tokens)
        : m_decoder(decoder)
        , m_tokens(tokens)
    {
    }

    void start(
        const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B, int64_t beams) override;
    torch::Tensor next(const torch::Tensor& tokens_N) override;
    void reorder(const torch::Tensor& rows_N) override;
    void keepAttention() override { m_decoder.keepAttention(); }
    torch::Tensor attention() const override { return m_decoder.attention(); }

private:
    void begin(const torch::Tensor& logits_NV, const torch::Tensor& tokens_N);
    void goOn(const torch::Tensor& logits_NV, const torch::Tensor& tokens_N);

    StepDecoder& m_decoder;
    data::WhisperTokens m_tokens;
    bool m_isFirst = true;
    torch::Tensor m_wasTime_N; ///< the token before the last was a time stamp, or there was none
    torch::Tensor m_newest_N; ///< the last time stamp of each row
};

} // namespace earwright::decode
