#pragma once

#include "core/catalog/configs/augment/drop_frequency.h"
#include "core/model/augment/augmentation.h"

namespace earwright::model {

/// speechbrain.processing.signal_processing.notch_filter: 101 taps that keep all but a band around
/// `frequency`, 1 = half the sample rate. Where upstream divides zero by zero (a frequency below
/// float32's resolution) the limit stands.
torch::Tensor notchFilter(double frequency, double width);

/// speechbrain.augment.time_domain.DropFreq: some frequencies, the same in all rows, filtered out.
class DropFreq final : public Augmentation {
public:
    explicit DropFreq(const catalog::DropFreqConfig& config)
        : m_config(config)
    {
    }
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    catalog::DropFreqConfig m_config;
};

} // namespace earwright::model
