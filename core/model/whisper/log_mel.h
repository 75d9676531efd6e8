#pragma once

#include "core/model/mel_filters.h"

// Shapes: B rows, N samples, M mel bins, F frames of 10 ms, K frequency bins.

namespace earwright::model {

/// Whisper's features of 16 kHz: log mel energies of windows of 25 ms (Hann), a frame every 10 ms;
/// Slaney's mel scale and norm up to 8 kHz. float32 on the wave's device, without gradients.
class LogMel final {
public:
    static constexpr int64_t kSamples = 480000; ///< of 30 s
    static constexpr int64_t kFrames = 3000; ///< of 30 s
    /// Nothing is quieter than 8 (of log10) below the loudest: of all rows, as SpeechBrain's
    /// wrapper has it, or of the row itself, as WhisperFeatureExtractor of `transformers`.
    enum class Loudest { OfBatch, OfRow };

    explicit LogMel(int64_t mels);
    /// Of 30 s, for which waves are cut or padded with zeros: [B, M, 3000].
    torch::Tensor of(const torch::Tensor& wav_BN, Loudest loudest);
    /// Of the waves as they are, more than 200 samples: [B, M, N / 160].
    torch::Tensor ofWhole(const torch::Tensor& wav_BN, Loudest loudest);
    /// [M, K] in float32 on the CPU, as the buffer of SpeechBrain's wrapper.
    torch::Tensor filters_MK() const { return m_filters_MK; }

private:
    torch::Tensor energies(const torch::Tensor& wav_BN);

    const torch::Tensor m_filters_MK;
    torch::Tensor m_window;
    MelFilters m_filters;
};

} // namespace earwright::model
