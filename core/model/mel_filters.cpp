#include "core/model/mel_filters.h"

#include <algorithm>
#include <experimental/simd>
#include <utility>

namespace kymo::model {

namespace {

constexpr int64_t kFramesAtOnce = 512; // 0.8 MB of windows of 25 ms at 16 kHz

/// Frames whose numbers lie side by side, so that one instruction works on several of them.
using Lane = std::experimental::fixed_size_simd<float, 16>;
constexpr int64_t kLane = Lane::size();

MelFilters::Filter sparseOf(const torch::Tensor& filter_K)
{
    const torch::Tensor used = filter_K.ne(0).nonzero();
    if (!used.numel())
        return {};
    const int64_t first = used[0].item<int64_t>();
    const torch::Tensor own
        = filter_K.narrow(0, first, used[-1].item<int64_t>() + 1 - first).contiguous();
    return { first, { own.data_ptr<float>(), own.data_ptr<float>() + own.numel() } };
}

/// spectrum: `frames` (at most kLane) times real and imaginary part of each of `bins`. power:
/// [bins, kLane].
void powerOf(const float* spectrum, int64_t frames, int64_t bins, float* power)
{
    for (int64_t t = 0; t < frames; ++t, spectrum += 2 * bins)
        for (int64_t k = 0; k < bins; ++k)
            power[k * kLane + t]
                = spectrum[2 * k] * spectrum[2 * k] + spectrum[2 * k + 1] * spectrum[2 * k + 1];
}

/// energies: [frames, filters].
void letThrough(const float* power, int64_t frames, const std::vector<MelFilters::Filter>& filters,
    float* energies)
{
    const int64_t mels = std::ssize(filters);
    for (int64_t m = 0; m < mels; ++m) {
        const float* bin = power + filters[static_cast<size_t>(m)].first * kLane;
        Lane sum = 0;
        for (const float weight : filters[static_cast<size_t>(m)].weights) {
            sum += weight * Lane(bin, std::experimental::element_aligned);
            bin += kLane;
        }
        for (int64_t t = 0; t < frames; ++t)
            energies[t * mels + m] = sum[static_cast<size_t>(t)];
    }
}

} // namespace

MelFilters::MelFilters(torch::Tensor filters_KM)
    : m_filters_KM(std::move(filters_KM))
{
    if (m_filters_KM.is_cpu() && m_filters_KM.scalar_type() == torch::kFloat
        && !m_filters_KM.requires_grad())
        for (const torch::Tensor& filter_K : m_filters_KM.unbind(1))
            m_sparse.push_back(sparseOf(filter_K));
}

MelFilters MelFilters::to(const torch::TensorOptions& options) const
{
    return m_filters_KM.defined() ? MelFilters(m_filters_KM.to(options)) : MelFilters();
}

torch::Tensor MelFilters::energies(const torch::Tensor& frames) const
{
    const torch::Tensor spectrum = torch::view_as_real(torch::fft_rfft(frames));
    if (m_sparse.empty() || spectrum.requires_grad()) {
        const torch::Tensor squares = spectrum.square();
        return (squares.select(-1, 0) + squares.select(-1, 1)).matmul(m_filters_KM);
    }
    const torch::Tensor spectrum_TK2 = spectrum.flatten(0, -3).contiguous();
    const int64_t count = spectrum_TK2.size(0), bins = spectrum_TK2.size(1);
    std::vector<int64_t> shape = frames.sizes().vec();
    shape.back() = m_filters_KM.size(1);
    const torch::Tensor energies = torch::empty(shape, frames.options());
    std::vector<float> power(static_cast<size_t>(bins * kLane));
    for (int64_t t = 0; t < count; t += kLane) {
        const int64_t some = std::min(kLane, count - t);
        powerOf(spectrum_TK2.data_ptr<float>() + 2 * t * bins, some, bins, power.data());
        letThrough(power.data(), some, m_sparse, energies.data_ptr<float>() + t * shape.back());
    }
    return energies;
}

std::vector<torch::Tensor> cacheSized(const torch::Tensor& frames_BTW)
{
    const int64_t rows = std::max<int64_t>(frames_BTW.size(0), 1);
    const int64_t most = frames_BTW.is_cpu() ? kFramesAtOnce / rows : frames_BTW.size(1);
    return frames_BTW.split(std::max<int64_t>(most, 1), 1);
}

} // namespace kymo::model
