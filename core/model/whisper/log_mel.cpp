#include "core/model/whisper/log_mel.h"

#include "core/model/autocast_off.h"

#include <cmath>
#include <torch/utils.h>

namespace earwright::model {

namespace {

constexpr int64_t kWindow = 400;
constexpr int64_t kHop = 160;
constexpr double kTopHz = 8000;
constexpr double kLeastEnergy = 1e-10;
constexpr double kLogRange = 8; ///< of log10, below the loudest

// Slaney's mels: a line up to 1000 Hz, then a logarithm.
constexpr double kHzAMel = 200.0 / 3;
constexpr double kBendHz = 1000;
constexpr double kBendMel = kBendHz / kHzAMel;
const double kMelsALog = 27 / std::log(6.4);

double slaneyMel(double hz)
{
    return hz < kBendHz ? hz / kHzAMel : kBendMel + std::log(hz / kBendHz) * kMelsALog;
}

torch::Tensor slaneyHz(const torch::Tensor& mel)
{
    return torch::where(
        mel < kBendMel, mel * kHzAMel, kBendHz * torch::exp((mel - kBendMel) / kMelsALog));
}

/// Triangles of area 1 in Hz. In float64, then rounded, as upstream.
torch::Tensor slaneyFilters(int64_t mels)
{
    const auto exact = torch::TensorOptions(torch::kDouble);
    const torch::Tensor hz_K1 = torch::linspace(0, kTopHz, kWindow / 2 + 1, exact).unsqueeze(1);
    const torch::Tensor edges = slaneyHz(torch::linspace(0, slaneyMel(kTopHz), mels + 2, exact));
    const torch::Tensor low_M = edges.narrow(0, 0, mels);
    const torch::Tensor centre_M = edges.narrow(0, 1, mels);
    const torch::Tensor high_M = edges.narrow(0, 2, mels);
    const torch::Tensor rising_KM = (hz_K1 - low_M) / (centre_M - low_M);
    const torch::Tensor falling_KM = (high_M - hz_K1) / (high_M - centre_M);
    const torch::Tensor triangles_KM = torch::minimum(rising_KM, falling_KM).clamp_min(0);
    return (triangles_KM * (2 / (high_M - low_M))).to(torch::kFloat);
}

/// In the memory of the energies.
torch::Tensor logOf(torch::Tensor energies_BFM, LogMel::Loudest loudest)
{
    const torch::Tensor log_BFM = energies_BFM.clamp_min_(kLeastEnergy).log10_();
    const torch::Tensor most
        = loudest == LogMel::Loudest::OfBatch ? log_BFM.max() : log_BFM.amax({ 1, 2 }, true);
    return torch::maximum(log_BFM, most - kLogRange).add_(4).div_(4).transpose(1, 2).contiguous();
}

} // namespace

LogMel::LogMel(int64_t mels)
    : m_filters_MK(slaneyFilters(mels).t().contiguous())
    , m_window(torch::hann_window(kWindow, torch::kFloat))
    , m_filters(m_filters_MK.t())
{
}

/// [B, N / 160, M]. Half a window is mirrored at both ends. In parts: the windows of all frames
/// take ten times the memory of the sound.
torch::Tensor LogMel::energies(const torch::Tensor& wav_BN)
{
    if (m_window.device() != wav_BN.device()) {
        m_window = m_window.to(wav_BN.device());
        m_filters = m_filters.to(m_window.options());
    }
    const torch::Tensor mirrored = torch::reflection_pad1d(wav_BN, { kWindow / 2, kWindow / 2 });
    const torch::Tensor overlapping_BFW
        = mirrored.unfold(1, kWindow, kHop).narrow(1, 0, wav_BN.size(1) / kHop);
    const bool isOnGpu = wav_BN.is_cuda();
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor& frames_BFW :
        isOnGpu ? overlapping_BFW.split(kFrames, 1) : cacheSized(overlapping_BFW)) {
        const torch::Tensor windows_BFW = frames_BFW * m_window;
        parts.push_back(
            isOnGpu ? m_filters.energiesOfRounded(windows_BFW) : m_filters.energies(windows_BFW));
    }
    return torch::cat(parts, 1);
}

torch::Tensor LogMel::ofWhole(const torch::Tensor& wav_BN, Loudest loudest)
{
    const torch::NoGradGuard noGrad;
    const AutocastOff fullPrecision(wav_BN.device().type());
    return logOf(energies(wav_BN.to(torch::kFloat)), loudest);
}

/// No window reaches from a wave into what follows a window of zeros behind it: frames from there
/// on have no energy, and are not transformed.
torch::Tensor LogMel::of(const torch::Tensor& wav_BN, Loudest loudest)
{
    const torch::NoGradGuard noGrad;
    const AutocastOff fullPrecision(wav_BN.device().type());
    const int64_t samples = std::min(wav_BN.size(1), kSamples);
    const int64_t heard = std::min(samples + kWindow, kSamples);
    const torch::Tensor own_BN = torch::constant_pad_nd(
        wav_BN.narrow(1, 0, samples).to(torch::kFloat), { 0, heard - samples });
    const torch::Tensor energies_BFM = energies(own_BN);
    const int64_t silent = kFrames - energies_BFM.size(1);
    return logOf(torch::constant_pad_nd(energies_BFM, { 0, 0, 0, silent }), loudest);
}

} // namespace earwright::model
