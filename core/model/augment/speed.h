#pragma once

#include "core/catalog/configs/augment/speed.h"
#include "core/data/resample.h"
#include "core/model/augment/augmentation.h"

namespace earwright::model {

/// Rows of a batch resampled as data::resample() does a file; on another device than the CPU by
/// gathered(), so that no audio is copied and nobody waits, and where a gradient passes.
torch::Tensor resampleRows(const torch::Tensor& waves_BT, data::Ratio ratio);
/// The same but for rounding: every output is the sum of the inputs around it, a term of all
/// outputs at once: about 13 terms, twice as many at double speed, whatever the terms of the ratio.
torch::Tensor gathered(const torch::Tensor& waves_BT, data::Ratio ratio);

/// speechbrain.augment.time_domain.SpeedPerturb: one speed for the batch; relative lengths stay.
/// (Where it is always applied first, a training draws a speed for each utterance while it is read:
/// settings::perUtteranceSpeed(), data/speed.h.)
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

} // namespace earwright::model
