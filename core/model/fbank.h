#pragma once

#include "core/catalog/configs/features.h"
#include "core/model/layer.h"
#include "core/model/mel_filters.h"

// Shapes: B rows, T samples or frames, F features, M mel filters.

namespace earwright::model {

/// speechbrain.lobes.features.Fbank: log-mel filterbanks. [batch, samples] -> [batch, 1 +
/// samples/hop, n_mels (x3 with deltas) (x context)], float32 under every precision, in decibels
/// with a floor 80 dB below the loudest cell of the same row, padding included. The triangles are
/// symmetric in Hz: both slopes use the width of the left one.
class Fbank final : public Layer {
public:
    explicit Fbank(const catalog::FbankConfig& config);
    torch::Tensor forward(torch::Tensor input, torch::Tensor lengths_B = {}) override;

    int64_t hopSamples() const { return m_hop; }

private:
    MelFilters shaped(const torch::Tensor& centres_M, const torch::Tensor& bands_M) const;
    MelFilters filters(at::Device device);
    torch::Tensor spectralFeatures(const torch::Tensor& wav_BT, const MelFilters& filters) const;
    torch::Tensor withContext(const torch::Tensor& x_BTF) const;

    catalog::FbankConfig m_config;
    int64_t m_window;
    int64_t m_hop;
    torch::Tensor m_hamming; ///< n_fft long, zeros on both sides of the window
    torch::Tensor m_frequencies; ///< Hz of every bin
    torch::Tensor
        m_centres; ///< Hz; with requires_grad a parameter, over sample_rate * param_change_factor
    torch::Tensor m_bands;
    MelFilters m_filters; ///< where they are fixed
};

} // namespace earwright::model
