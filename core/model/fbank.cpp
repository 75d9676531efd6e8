#include "core/model/fbank.h"

#include "core/model/autocast_off.h"

#include <cmath>

namespace earwright::model {

namespace {

constexpr double kFloorPower = 1e-10;
constexpr double kTopDb = 80;

double melOf(double hz)
{
    return 2595 * std::log10(1 + hz / 700);
}

torch::Tensor hzOf(const torch::Tensor& mel)
{
    return 700 * (torch::pow(10, mel / 2595) - 1);
}

int64_t samplesOf(double ms, int64_t sampleRate)
{
    return std::llrint(static_cast<double>(sampleRate) / 1000 * ms);
}

torch::Tensor shapedFilters(const std::string& shape, const torch::Tensor& hz_N,
    const torch::Tensor& centres_M, const torch::Tensor& bands_M)
{
    const torch::Tensor distance = (hz_N.unsqueeze(1) - centres_M) / bands_M;
    if (shape == "triangular")
        return (1 - distance.abs()).clamp_min(0);
    if (shape == "rectangular")
        return (distance.abs() <= 1).to(distance.scalar_type());
    return torch::exp(-0.5 * (distance * 2).square());
}

/// In the memory of the power.
torch::Tensor decibels(torch::Tensor power_BTM)
{
    const torch::Tensor db = power_BTM.clamp_min_(kFloorPower).log10_().mul_(10);
    return torch::maximum(db, db.amax({ 1, 2 }, true) - kTopDb);
}

/// Regression over two frames on each side, the border frames repeated.
torch::Tensor derivatives(const torch::Tensor& x_BTF)
{
    const int64_t frames = x_BTF.size(1);
    const torch::Tensor padded
        = torch::cat({ x_BTF.narrow(1, 0, 1).expand({ -1, 2, -1 }), x_BTF,
                         x_BTF.narrow(1, frames - 1, 1).expand({ -1, 2, -1 }) },
            1);
    const auto shifted = [&](int64_t offset) { return padded.narrow(1, 2 + offset, frames); };
    return (2 * (shifted(2) - shifted(-2)) + shifted(1) - shifted(-1)) / 10;
}

} // namespace

Fbank::Fbank(const catalog::FbankConfig& config)
    : m_config(config)
    , m_window(samplesOf(config.winLength, config.sampleRate))
    , m_hop(samplesOf(config.hopLength, config.sampleRate))
    , m_hamming(torch::hamming_window(m_window))
    , m_frequencies(
          torch::linspace(0, static_cast<double>(config.sampleRate / 2), config.nFft / 2 + 1))
{
    const double top = config.fMax.value_or(static_cast<double>(config.sampleRate / 2));
    TORCH_CHECK(config.fMin < top, "f_min ", config.fMin, " must be below f_max ", top);
    TORCH_CHECK(m_window <= config.nFft, "n_fft ", config.nFft,
        " must not be shorter than the window of ", m_window, " samples");
    const int64_t before = (config.nFft - m_window) / 2;
    m_hamming = torch::constant_pad_nd(m_hamming, { before, config.nFft - m_window - before });
    const torch::Tensor hz
        = hzOf(torch::linspace(melOf(config.fMin), melOf(top), config.nMels + 2));
    m_centres = hz.slice(0, 1, config.nMels + 1).clone();
    m_bands = m_centres - hz.slice(0, 0, config.nMels);
    if (config.requiresGrad) {
        const double scale = static_cast<double>(config.sampleRate) * config.paramChangeFactor;
        auto learned = register_module("compute_fbanks", std::make_shared<torch::nn::Module>());
        m_centres = learned->register_parameter("f_central", m_centres / scale);
        m_bands = learned->register_parameter("band", m_bands / scale);
    } else {
        m_filters = shaped(m_centres, m_bands);
    }
}

MelFilters Fbank::shaped(const torch::Tensor& centres_M, const torch::Tensor& bands_M) const
{
    return MelFilters(shapedFilters(m_config.filterShape, m_frequencies, centres_M, bands_M));
}

MelFilters Fbank::filters(at::Device device)
{
    if (m_frequencies.device() != device) {
        m_frequencies = m_frequencies.to(device);
        m_hamming = m_hamming.to(device);
        m_filters = m_filters.to(device);
    }
    if (m_config.requiresGrad) {
        const double factor = m_config.paramChangeFactor;
        const double scale = static_cast<double>(m_config.sampleRate) * factor * factor;
        return shaped(m_centres * scale, m_bands * scale);
    }
    if (m_config.paramRandFactor == 0 || !is_training())
        return m_filters;
    const torch::Tensor change = 1 + (torch::rand(2) * 2 - 1) * m_config.paramRandFactor;
    return shaped(m_centres.to(device) * change[0].item<double>(),
        m_bands.to(device) * change[1].item<double>());
}

torch::Tensor Fbank::withContext(const torch::Tensor& x_BTF) const
{
    const torch::Tensor padded
        = torch::constant_pad_nd(x_BTF, { 0, 0, m_config.leftFrames, m_config.rightFrames });
    // Upstream's order: all frames of the first feature, then of the second.
    return padded.unfold(1, m_config.leftFrames + 1 + m_config.rightFrames, 1).flatten(2);
}

torch::Tensor Fbank::spectralFeatures(const torch::Tensor& wav_BT, const MelFilters& filters) const
{
    // Copied once; constant_pad_nd writes all of it twice.
    const torch::Tensor half = wav_BT.new_zeros({ wav_BT.size(0), m_config.nFft / 2 });
    const torch::Tensor overlapping_BTW
        = torch::cat({ half, wav_BT, half }, 1).unfold(1, m_config.nFft, m_hop);
    if (wav_BT.is_cuda())
        return decibels(filters.energiesOfRounded(overlapping_BTW * m_hamming).contiguous());
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor& frames_BTW : cacheSized(overlapping_BTW))
        parts.push_back(filters.energies(frames_BTW * m_hamming));
    return decibels(torch::cat(parts, 1));
}

torch::Tensor Fbank::forward(torch::Tensor input, torch::Tensor)
{
    const AutocastOff fullPrecision(input.device().type());
    const torch::Tensor wav_BT = input.to(fullType(input));
    torch::Tensor features = spectralFeatures(wav_BT, filters(wav_BT.device()));
    if (m_config.deltas) {
        const torch::Tensor first = derivatives(features);
        features = torch::cat({ features, first, derivatives(first) }, 2);
    }
    return m_config.context ? withContext(features) : features;
}

} // namespace earwright::model
