#pragma once

#include <c10/util/Exception.h>
#include <cstdint>
#include <torch/types.h>

// Shapes: B rows of a batch, T encoder frames, D width, N = B * beams, V outputs.

namespace earwright::decode {

/// An attention decoder, one token at a time: what the searches of s2s_search.h run.
/// The N rows: those of a batch row side by side.
class StepDecoder {
public:
    virtual ~StepDecoder() = default;
    /// A new batch. encoder_BTD: the encoder's states; frames_B: their whole lengths.
    virtual void start(
        const torch::Tensor& encoder_BTD, const torch::Tensor& frames_B, int64_t beams)
        = 0;
    /// tokens_N: the last token of each row -> logits of the next, [N, V], on the encoder's device.
    virtual torch::Tensor next(const torch::Tensor& tokens_N) = 0;
    /// Row n goes on from where row rows_N[n] of the same batch row stood.
    virtual void reorder(const torch::Tensor& rows_N) = 0;
    /// From the next start() on, attention() is known.
    virtual void keepAttention() { TORCH_CHECK(false, "this decoder tells no attention"); }
    /// How the last next() looked at the encoder's frames, [N, T]: mean over the heads of the last
    /// layer.
    virtual torch::Tensor attention() const { return {}; }
};

} // namespace earwright::decode
