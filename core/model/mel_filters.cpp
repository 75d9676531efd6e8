#include "core/model/mel_filters.h"

#include "core/model/rounded_convolution.h"

#include <algorithm>
#include <cstring>
#include <experimental/simd>
#include <utility>

namespace earwright::model {

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

/// Four numbers in a register; memory behind them need not be aligned.
using Four = float __attribute__((vector_size(16)));

Four four(const float* from)
{
    Four numbers;
    std::memcpy(&numbers, from, sizeof numbers);
    return numbers;
}

/// Rows become columns, each `stride` behind the one before.
void writeTurned(const Four (&rows)[4], float* to, int64_t stride)
{
    const Four low01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const Four low23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const Four high01 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const Four high23 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    const Four columns[4] = { __builtin_shufflevector(low01, low23, 0, 1, 4, 5),
        __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
        __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
        __builtin_shufflevector(high01, high23, 2, 3, 6, 7) };
    for (int64_t i = 0; i < 4; ++i)
        std::memcpy(to + i * stride, &columns[i], sizeof columns[i]);
}

/// Of four bins, whose real and imaginary parts alternate.
Four squares(const float* spectrum)
{
    const Four first = four(spectrum) * four(spectrum);
    const Four second = four(spectrum + 4) * four(spectrum + 4);
    return __builtin_shufflevector(first, second, 0, 2, 4, 6)
        + __builtin_shufflevector(first, second, 1, 3, 5, 7);
}

/// spectrum: `frames` (at most kLane) times real and imaginary part of each of `bins`. power:
/// [bins, kLane]. In squares of four frames and bins, which takes a third of the time of one by
/// one.
void powerOf(const float* spectrum, int64_t frames, int64_t bins, float* power)
{
    const int64_t wholeFrames = frames / 4 * 4, wholeBins = bins / 4 * 4;
    for (int64_t t = 0; t < wholeFrames; t += 4)
        for (int64_t k = 0; k < wholeBins; k += 4) {
            const float* corner = spectrum + 2 * (t * bins + k);
            writeTurned({ squares(corner), squares(corner + 2 * bins), squares(corner + 4 * bins),
                            squares(corner + 6 * bins) },
                power + k * kLane + t, kLane);
        }
    for (int64_t t = 0; t < frames; ++t)
        for (int64_t k = t < wholeFrames ? wholeBins : 0; k < bins; ++k) {
            const float* bin = spectrum + 2 * (t * bins + k);
            power[k * kLane + t] = bin[0] * bin[0] + bin[1] * bin[1];
        }
}

/// What a filter lets through of kLane frames.
void letThrough(const float* power, const MelFilters::Filter& filter, float* energies)
{
    const float* bin = power + filter.first * kLane;
    Lane sum = 0;
    for (const float weight : filter.weights) {
        sum += weight * Lane(bin, std::experimental::element_aligned);
        bin += kLane;
    }
    sum.copy_to(energies, std::experimental::element_aligned);
}

/// energies: [frames, filters].
void letThrough(const float* power, int64_t frames, const std::vector<MelFilters::Filter>& filters,
    float* energies)
{
    const int64_t mels = std::ssize(filters);
    const int64_t wholeFrames = frames / 4 * 4;
    float some[4][kLane];
    for (int64_t m = 0; m < mels; m += 4) {
        const int64_t count = std::min<int64_t>(4, mels - m);
        for (int64_t i = 0; i < count; ++i)
            letThrough(power, filters[static_cast<size_t>(m + i)], some[i]);
        const int64_t turned = count == 4 ? wholeFrames : 0;
        for (int64_t t = 0; t < turned; t += 4)
            writeTurned(
                { four(some[0] + t), four(some[1] + t), four(some[2] + t), four(some[3] + t) },
                energies + t * mels + m, mels);
        for (int64_t t = turned; t < frames; ++t)
            for (int64_t i = 0; i < count; ++i)
                energies[t * mels + m + i] = some[i][t];
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

// Note [Few transforms for cuFFT]
// cuFFT plans each number of transforms anew, and ATen keeps the plans. So frames of zeros are put
// behind each row up to a round number, as Note [Few lengths for cuDNN] has it, and cut off again.
torch::Tensor MelFilters::energiesOfRounded(const torch::Tensor& frames_BTW) const
{
    const int64_t frames = frames_BTW.size(1);
    const int64_t zeros = roundedFrames(frames) - frames;
    return energies(torch::constant_pad_nd(frames_BTW, { 0, 0, 0, zeros })).narrow(1, 0, frames);
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

} // namespace earwright::model
