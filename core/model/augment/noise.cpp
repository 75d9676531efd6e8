#include "core/model/augment/noise.h"

#include "core/model/augment/amplitude.h"

#include <stdexcept>

namespace kymo::model {

torch::Tensor mixNoise(const torch::Tensor& waves_BT, const torch::Tensor& lengths_B,
    const Noise& noise, const catalog::AddNoiseConfig& config, RandomSource& random)
{
    const torch::Tensor samples_B1
        = (lengths_B * waves_BT.size(1)).unsqueeze(1).to(waves_BT.device(), true);
    const torch::Tensor speech_B1 = amplitudeOf(waves_BT, Amplitude::RootMeanSquare, samples_B1);
    const torch::Tensor ratio_B1
        = random.uniform({ waves_BT.size(0), 1 }) * (config.snrHigh - config.snrLow)
        + config.snrLow;
    const torch::Tensor part_B1
        = (1 / (torch::pow(10, ratio_B1 / 20) + 1)).to(waves_BT.device(), true);
    const torch::Tensor found_B1
        = amplitudeOf(noise.waves_BT, Amplitude::RootMeanSquare, noise.samples_B1);
    const torch::Tensor mixed_BT
        = waves_BT * (1 - part_B1) + noise.waves_BT * (part_B1 * speech_B1 / (found_B1 + 1e-14));
    if (!config.normalize)
        return mixed_BT;
    return mixed_BT / amplitudeOf(mixed_BT, Amplitude::Peak).clamp_min(1);
}

Augmented AddNoise::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const Noise noise
        = m_sounds ? ofList(waves_BT, lengths_B, random) : gaussian(waves_BT, lengths_B, random);
    return { mixNoise(waves_BT, lengths_B, noise, m_config, random), lengths_B };
}

Noise AddNoise::gaussian(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random) const
{
    return { random.normal(waves_BT.sizes()).to(waves_BT.options(), true),
        (lengths_B * waves_BT.size(1)).unsqueeze(1).to(waves_BT.device(), true) };
}

/// A noise a row, repeated to the row's length where `pad_noise` asks for it.
std::vector<torch::Tensor> AddNoise::draw(
    const torch::Tensor& samples_B, RandomSource& random) const
{
    const torch::Tensor which_B = random.integers(0, m_sounds->size(), { samples_B.size(0) });
    std::vector<torch::Tensor> noises;
    for (int64_t row = 0; row < samples_B.size(0); ++row) {
        const auto samples = m_sounds->samples(
            which_B[row].item<int64_t>(), static_cast<int>(m_config.cleanSampleRate));
        if (!samples)
            throw std::runtime_error("AddNoise: " + samples.error().message);
        torch::Tensor noise_T = torch::tensor(**samples);
        const int64_t wanted = samples_B[row].item<int64_t>();
        if (m_config.padNoise && noise_T.size(0) < wanted)
            noise_T = noise_T.repeat({ (wanted - 1) / noise_T.size(0) + 1 });
        noises.push_back(noise_T);
    }
    return noises;
}

Noise AddNoise::ofList(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random) const
{
    const int64_t width = waves_BT.size(1);
    const torch::Tensor samples_B = (lengths_B * width).to(at::kLong);
    const std::vector<torch::Tensor> noises = draw(samples_B, random);
    int64_t spare = noises.front().size(0); // what the shortest noise has more than its row
    for (size_t row = 0; row < noises.size(); ++row)
        spare = std::min(
            spare, noises[row].size(0) - samples_B[static_cast<int64_t>(row)].item<int64_t>());
    const int64_t start = m_config.startIndex ? *m_config.startIndex
                                              : random.integer(0, std::max<int64_t>(spare, 1));
    torch::Tensor noise_BT = torch::zeros(waves_BT.sizes());
    torch::Tensor counts_B1 = torch::zeros({ waves_BT.size(0), 1 });
    for (size_t row = 0; row < noises.size(); ++row) {
        const auto at = static_cast<int64_t>(row);
        const torch::Tensor part_T = noises[row].slice(0, start, start + width);
        noise_BT[at].slice(0, 0, part_T.size(0)).copy_(part_T);
        counts_B1[at] = std::max<int64_t>(part_T.size(0), 1);
    }
    return { noise_BT.to(waves_BT.options(), true), counts_B1.to(waves_BT.options(), true) };
}

} // namespace kymo::model
