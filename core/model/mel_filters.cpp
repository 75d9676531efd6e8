#include "core/model/mel_filters.h"

#include <algorithm>
#include <utility>

namespace kymo::model {

namespace {

/// MKL multiplies by as many columns fastest: by 8 of them it takes longer than by 16.
constexpr int64_t kMelsAtOnce = 16;
constexpr int64_t kFramesAtOnce = 512; // 0.8 MB of windows of 25 ms at 16 kHz

} // namespace

MelFilters::MelFilters(torch::Tensor filters_KM)
    : m_filters_KM(std::move(filters_KM))
{
    if (!m_filters_KM.is_cpu() || m_filters_KM.requires_grad())
        return;
    const int64_t spare = (kMelsAtOnce - m_filters_KM.size(1) % kMelsAtOnce) % kMelsAtOnce;
    for (const torch::Tensor& some :
        torch::constant_pad_nd(m_filters_KM, { 0, spare }).split(kMelsAtOnce, 1)) {
        const torch::Tensor used = some.ne(0).any(1).nonzero();
        const int64_t first = used.numel() ? used.min().item<int64_t>() : 0;
        const int64_t end = used.numel() ? used.max().item<int64_t>() + 1 : 0;
        m_bands.push_back({ first, some.narrow(0, first, end - first).repeat_interleave(2, 0) });
    }
}

MelFilters MelFilters::to(const torch::TensorOptions& options) const
{
    return m_filters_KM.defined() ? MelFilters(m_filters_KM.to(options)) : MelFilters();
}

torch::Tensor MelFilters::energies(const torch::Tensor& frames) const
{
    const torch::Tensor spectrum = torch::view_as_real(torch::fft_rfft(frames));
    if (m_bands.empty() || spectrum.requires_grad()) {
        const torch::Tensor squares = spectrum.square();
        return (squares.select(-1, 0) + squares.select(-1, 1)).matmul(m_filters_KM);
    }
    const torch::Tensor squares_TK = spectrum.flatten(-2).flatten(0, -2).square_();
    std::vector<int64_t> shape = frames.sizes().vec();
    shape.back() = kMelsAtOnce * std::ssize(m_bands);
    const torch::Tensor energies = torch::empty(shape, frames.options());
    int64_t mel = 0;
    for (const auto& [first, filters_KM] : m_bands) {
        torch::Tensor band = energies.flatten(0, -2).narrow(1, mel, kMelsAtOnce);
        torch::mm_out(band, squares_TK.narrow(1, 2 * first, filters_KM.size(0)), filters_KM);
        mel += kMelsAtOnce;
    }
    return energies.narrow(-1, 0, m_filters_KM.size(1));
}

std::vector<torch::Tensor> cacheSized(const torch::Tensor& frames_BTW)
{
    const int64_t rows = std::max<int64_t>(frames_BTW.size(0), 1);
    const int64_t most = frames_BTW.is_cpu() ? kFramesAtOnce / rows : frames_BTW.size(1);
    return frames_BTW.split(std::max<int64_t>(most, 1), 1);
}

} // namespace kymo::model
