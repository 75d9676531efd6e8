#pragma once

#include "core/catalog/configs/augment/reverb.h"
#include "core/data/sound_list.h"
#include "core/model/augment/amplitude.h"
#include "core/model/augment/augmentation.h"

#include <optional>

namespace earwright::model {

/// speechbrain.processing.signal_processing.reverberate: circular convolution with an impulse
/// response [K] whose loudest sample stands for the direct sound, so that the speech stays where it
/// is; the amplitude (average or peak) is brought back to what it was, with none it is left.
torch::Tensor reverberate(const torch::Tensor& waves_BT, const torch::Tensor& response_K,
    std::optional<Amplitude> rescaled);

/// speechbrain.augment.time_domain.AddReverb: an impulse response of a CSV manifest for the whole
/// batch, drawn anew each time (upstream goes through a shuffled list).
class AddReverb final : public Augmentation {
public:
    AddReverb(const catalog::AddReverbConfig& config, data::SoundList sounds)
        : m_config(config)
        , m_sounds(std::move(sounds))
    {
    }
    /// Throws std::runtime_error where a sound cannot be read.
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    catalog::AddReverbConfig m_config;
    data::SoundList m_sounds;
};

} // namespace earwright::model
