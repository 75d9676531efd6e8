#include "core/model/augment/reverb.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace earwright::model {

torch::Tensor reverberate(const torch::Tensor& waves_BT, const torch::Tensor& response_K,
    std::optional<Amplitude> rescaled)
{
    const int64_t width = waves_BT.size(1);
    const int64_t direct = response_K.abs().argmax().item<int64_t>();
    // As upstream: cut to the waves' length first, then turned to its loudest sample.
    const torch::Tensor cut = response_K.slice(0, 0, width).to(waves_BT.options(), true);
    const torch::Tensor turned_T = torch::cat({ cut.slice(0, std::min(direct, cut.size(0))),
        torch::zeros({ width - cut.size(0) }, waves_BT.options()), cut.slice(0, 0, direct) });
    const torch::Tensor reverberant_BT
        = torch::fft_irfft(torch::fft_rfft(waves_BT) * torch::fft_rfft(turned_T), width);
    if (!rescaled)
        return reverberant_BT;
    return reverberant_BT / (amplitudeOf(reverberant_BT, *rescaled) + 1e-14)
        * amplitudeOf(waves_BT, *rescaled);
}

Augmented AddReverb::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const auto samples = m_sounds.samples(
        random.integer(0, m_sounds.size()), static_cast<int>(m_config.cleanSampleRate));
    if (!samples)
        throw std::runtime_error("AddReverb: " + samples.error().message);
    torch::Tensor response_K = torch::tensor(**samples);
    if (m_config.rirScaleFactor != 1) {
        const double length = static_cast<double>(response_K.size(0)) * m_config.rirScaleFactor;
        const std::array<int64_t, 1> scaled { std::max<int64_t>(1, static_cast<int64_t>(length)) };
        response_K = at::upsample_linear1d(response_K.view({ 1, 1, -1 }), scaled, false,
            std::optional<double>(m_config.rirScaleFactor))
                         .view(-1);
    }
    return { reverberate(waves_BT, response_K, Amplitude::Average), lengths_B };
}

} // namespace earwright::model
