#include "core/model/augment/noise.h"

#include "core/model/augment/amplitude.h"

#include <algorithm>
#include <stdexcept>

namespace earwright::model {

namespace {

template <class Value>
Value valueOf(Result<Value> read)
{
    if (!read)
        throw std::runtime_error("AddNoise: " + read.error().message);
    return std::move(*read);
}

} // namespace

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

std::vector<AddNoise::Sound> AddNoise::draw(
    const torch::Tensor& samples_B, RandomSource& random) const
{
    const torch::Tensor which_B = random.integers(0, m_sounds->size(), { samples_B.size(0) });
    std::vector<Sound> sounds;
    for (int64_t row = 0; row < samples_B.size(0); ++row) {
        Sound sound { .index = which_B[row].item<int64_t>() };
        sound.samples = sound.length = valueOf(m_sounds->length(sound.index, rateHz()));
        const int64_t wanted = samples_B[row].item<int64_t>();
        if (m_config.padNoise && sound.length < wanted)
            sound.length *= (wanted - 1) / sound.samples + 1;
        sounds.push_back(sound);
    }
    return sounds;
}

/// The noise from `start` on, as far as it goes and there is room. Returns how many samples.
int64_t AddNoise::fill(float* to, int64_t width, const Sound& sound, int64_t start) const
{
    const int64_t count = std::clamp<int64_t>(sound.length - start, 0, width);
    const bool isRepeated = sound.length > sound.samples;
    const std::vector<float> read = isRepeated
        ? valueOf(m_sounds->part(sound.index, rateHz(), 0, sound.samples))
        : valueOf(m_sounds->part(sound.index, rateHz(), start, count));
    for (int64_t i = 0, at = isRepeated ? start % sound.samples : 0; i < count; at = 0) {
        const int64_t piece = std::min(std::ssize(read) - at, count - i);
        std::copy_n(read.begin() + at, piece, to + i);
        i += piece;
    }
    return count;
}

Noise AddNoise::ofList(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random) const
{
    const int64_t width = waves_BT.size(1);
    const torch::Tensor samples_B = (lengths_B * width).to(at::kLong);
    const std::vector<Sound> sounds = draw(samples_B, random);
    int64_t spare = sounds.front().length; // what the shortest noise has more than its row
    for (size_t row = 0; row < sounds.size(); ++row)
        spare = std::min(
            spare, sounds[row].length - samples_B[static_cast<int64_t>(row)].item<int64_t>());
    const int64_t start = m_config.startIndex ? *m_config.startIndex
                                              : random.integer(0, std::max<int64_t>(spare, 1));
    const torch::Tensor noise_BT = torch::zeros(waves_BT.sizes(), torch::kFloat);
    torch::Tensor counts_B1 = torch::zeros({ waves_BT.size(0), 1 });
    for (size_t row = 0; row < sounds.size(); ++row) {
        const auto at = static_cast<int64_t>(row);
        float* const to = noise_BT.data_ptr<float>() + at * width;
        counts_B1[at] = std::max<int64_t>(fill(to, width, sounds[row], start), 1);
    }
    return { noise_BT.to(waves_BT.options(), true), counts_B1.to(waves_BT.options(), true) };
}

} // namespace earwright::model
