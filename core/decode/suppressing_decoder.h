#pragma once

#include "core/decode/step_decoder.h"

#include <vector>

namespace earwright::decode {

/// Another decoder that never gives some tokens, as Whisper's searches have it.
class SuppressingDecoder final : public StepDecoder {
public:
    /// `always`: tokens that no step gives; `first`: those that the first does not give besides.
    SuppressingDecoder(StepDecoder& decoder, const std::vector<int64_t>& always,
        const std::vector<int64_t>& first);

    void start(
        const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B, int64_t beams) override;
    torch::Tensor next(const torch::Tensor& tokens_N) override;
    void reorder(const torch::Tensor& rows_N) override { m_decoder.reorder(rows_N); }
    void keepAttention() override { m_decoder.keepAttention(); }
    torch::Tensor attention() const override { return m_decoder.attention(); }

private:
    StepDecoder& m_decoder;
    torch::Tensor m_always, m_first; ///< int64, `first` with `always`
    bool m_isFirst = true;
};

} // namespace earwright::decode
