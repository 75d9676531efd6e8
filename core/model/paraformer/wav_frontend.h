#pragma once

#include "core/catalog/configs/wav_frontend.h"
#include "core/model/layer.h"
#include "core/model/mel_filters.h"

namespace earwright::model {

/// funasr.frontends.wav_frontend.WavFrontend: Kaldi's log mel filterbank of samples scaled by
/// 32768, lfr_m frames stacked into one every lfr_n, then (x + AddShift) * Rescale of the cmvn
/// file. float32 under every precision; frames past a row's end are 0. Rows shorter than a window
/// give one frame with a window of their length. Dither is drawn in training alone, once for a
/// sample (upstream: always, and once for each frame that the sample is in).
class WavFrontend final : public Layer {
public:
    /// Throws c10::Error for a cmvn file that cannot be read or has another width, and for
    /// snip_edges: False.
    explicit WavFrontend(const catalog::WavFrontendConfig& config);

    /// [batch, samples] -> [batch, frames, n_mels * lfr_m]. lengths_B: relative, on the CPU unless
    /// the call may wait for the device; undefined: all rows are full.
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;
    /// Frames after stacking of rows with so many samples, int64.
    torch::Tensor frameCounts(const torch::Tensor& samples_B) const;

private:
    struct Bank {
        int64_t window = 0; ///< samples
        torch::Tensor window_N; ///< zeros behind it, as many samples as the Fourier transform has
        torch::Tensor first; ///< of a frame's first sample: the window there, and the emphasis
        MelFilters filters;
    };
    Bank bankOf(int64_t window, const torch::TensorOptions& options) const;
    torch::Tensor spectra(const torch::Tensor& waves_BT, const Bank& bank) const;
    torch::Tensor centred(const torch::Tensor& waves_BT, const std::vector<int64_t>& samples) const;
    torch::Tensor dithered(const torch::Tensor& waves_BT) const;
    torch::Tensor frames(const torch::Tensor& waves_BT, const std::vector<int64_t>& samples) const;
    void moveTo(const torch::TensorOptions& options);
    int64_t framesOf(int64_t samples) const;

    catalog::WavFrontendConfig m_config;
    int64_t m_window; ///< samples
    int64_t m_shift;
    Bank m_bank; ///< of m_window
    torch::Tensor m_cmvn_2F; ///< shifts and scales; undefined without a file
};

/// Low frame rate: `stacked` frames side by side, one every `step`, the first and the last frame of
/// a row repeated past its ends. x_BTF, counts_B (int64, at least 1) -> [batch, ceil(time / step),
/// stacked * features].
torch::Tensor stackFrames(
    const torch::Tensor& x_BTF, const torch::Tensor& counts_B, int64_t stacked, int64_t step);

} // namespace earwright::model
