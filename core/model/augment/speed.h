#pragma once

#include "core/catalog/configs/augment.h"
#include "core/data/resample.h"
#include "core/model/augment/augmentation.h"

namespace kymo::model {

/// Rows of a batch resampled as data::resample() does a file.
torch::Tensor resampleRows(const torch::Tensor& waves_BT, data::Ratio ratio);

/// speechbrain.augment.time_domain.SpeedPerturb: one speed for the batch; relative lengths stay.
/// (A training draws a speed for each utterance while it is read: data/speed.h.)
class SpeedPerturb final : public Augmentation {
public:
    explicit SpeedPerturb(const catalog::SpeedPerturbConfig& config)
        : m_speeds(config.speeds)
    {
    }
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    std::vector<double> m_speeds; ///< in percent
};

} // namespace kymo::model
