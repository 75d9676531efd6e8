#pragma once

#include "core/catalog/configs/augment/noise.h"
#include "core/data/sound_list.h"
#include "core/model/augment/augmentation.h"

namespace earwright::model {

struct Noise {
    torch::Tensor waves_BT; ///< as long as what it is added to
    torch::Tensor samples_B1; ///< of each row's noise, without what pads it
};

/// The mixing of speechbrain.augment.time_domain.AddNoise: a cross-fade to a signal-to-noise ratio
/// drawn for each row, by root mean squares over the rows' lengths.
torch::Tensor mixNoise(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
    const Noise& noise, const catalog::AddNoiseConfig& config, RandomSource& random);

/// speechbrain…AddNoise: noises of a CSV manifest, each row one that is drawn anew (upstream goes
/// through a shuffled list), from a place that is drawn for the batch; without a manifest Gaussian
/// noise.
class AddNoise final : public Augmentation {
public:
    AddNoise(const catalog::AddNoiseConfig& config, std::optional<data::SoundList> sounds)
        : m_config(config)
        , m_sounds(std::move(sounds))
    {
    }
    /// Throws std::runtime_error where a sound cannot be read.
    Augmented apply(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
        RandomSource& random) override;

private:
    Noise gaussian(
        const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random) const;
    Noise ofList(
        const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random) const;
    /// A sound of the list, and how long it is as a noise.
    struct Sound {
        int64_t index = 0;
        int64_t samples = 0; ///< of the file
        int64_t length = 0; ///< repeated, where `pad_noise` asks for it
    };
    std::vector<Sound> draw(const torch::Tensor& samples_B, RandomSource& random) const;
    int64_t fill(float* to, int64_t width, const Sound& sound, int64_t start) const;

    int rateHz() const { return static_cast<int>(m_config.cleanSampleRate); }

    catalog::AddNoiseConfig m_config;
    std::optional<data::SoundList> m_sounds;
};

} // namespace earwright::model
