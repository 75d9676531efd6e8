#include "core/data/resample.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <numeric>
#include <utility>

namespace kymo::data {
namespace {

constexpr double kLowpassWidth = 6;
constexpr double kRolloff = 0.99;
constexpr int kLanes = 8; ///< sums kept apart, so that the compiler may use vector instructions

/// One filter for each of the `to` output samples that fall into a block of `from` input samples.
struct Kernel {
    struct Phase {
        int64_t offset = 0; ///< of the first tap from the block's first sample; may be negative
        size_t begin = 0; ///< into taps
    };
    std::vector<Phase> phases;
    std::vector<float> taps; ///< numTaps a phase, zero padded
    int64_t numTaps = 0; ///< a multiple of kLanes
};

/// The filter of output sample `phase` at input sample `index`, times in units of the reduced
/// rates.
double tap(int64_t phase, int64_t index, Ratio ratio, double cutoff)
{
    const double seconds
        = -static_cast<double>(phase) / ratio.to + static_cast<double>(index) / ratio.from;
    const double t = std::clamp(seconds * cutoff, -kLowpassWidth, kLowpassWidth);
    const double window = std::pow(std::cos(t * std::numbers::pi / kLowpassWidth / 2), 2);
    const double angle = t * std::numbers::pi;
    const double sinc = angle == 0 ? 1 : std::sin(angle) / angle;
    return sinc * window * cutoff / ratio.from;
}

/// Only the taps inside the window are kept: torchaudio's dense kernel is zero beyond it.
Kernel makeKernel(Ratio ratio)
{
    const double cutoff = std::min(ratio.from, ratio.to) * kRolloff;
    const double reach = kLowpassWidth * ratio.from / cutoff; // in input samples
    Kernel kernel;
    const auto span = static_cast<int64_t>(std::floor(2 * reach)) + 1;
    kernel.numTaps = (span + kLanes - 1) / kLanes * kLanes;
    kernel.taps.assign(static_cast<size_t>(kernel.numTaps * ratio.to), 0.0F);
    for (int64_t phase = 0; phase < ratio.to; ++phase) {
        const double centre = static_cast<double>(phase) * ratio.from / ratio.to;
        const auto first = static_cast<int64_t>(std::ceil(centre - reach));
        const auto last = static_cast<int64_t>(std::floor(centre + reach));
        const auto begin = static_cast<size_t>(phase * kernel.numTaps);
        kernel.phases.push_back({ first, begin });
        for (int64_t i = first; i <= last && i - first < kernel.numTaps; ++i)
            kernel.taps[begin + static_cast<size_t>(i - first)]
                = static_cast<float>(tap(phase, i, ratio, cutoff));
    }
    return kernel;
}

std::shared_ptr<const Kernel> kernelFor(Ratio ratio)
{
    static std::mutex mutex;
    static std::map<std::pair<int, int>, std::shared_ptr<const Kernel>> kernels;
    const std::lock_guard lock(mutex);
    std::shared_ptr<const Kernel>& kernel = kernels[{ ratio.from, ratio.to }];
    if (!kernel)
        kernel = std::make_shared<const Kernel>(makeKernel(ratio));
    return kernel;
}

float dot(const float* a, const float* b, int64_t size)
{
    float sums[kLanes] = {};
    for (int64_t i = 0; i < size; i += kLanes) {
        for (int lane = 0; lane < kLanes; ++lane)
            sums[lane] += a[i + lane] * b[i + lane];
    }
    return std::accumulate(std::begin(sums), std::end(sums), 0.0F);
}

Ratio reduced(int64_t from, int64_t to)
{
    const int64_t divisor = std::gcd(from, to);
    return { static_cast<int>(from / divisor), static_cast<int>(to / divisor) };
}

} // namespace

Ratio rateRatio(int fromHz, int toHz)
{
    return reduced(fromHz, toHz);
}

Ratio speedRatio(double speed)
{
    return reduced(std::max<int64_t>(1, std::llround(speed * 1000)), 1000);
}

int64_t resampledLength(int64_t length, Ratio ratio)
{
    return (length * ratio.to + ratio.from - 1) / ratio.from;
}

std::vector<float> resample(const std::vector<float>& samples, Ratio ratio)
{
    if (ratio.isIdentity() || samples.empty())
        return samples;
    const std::shared_ptr<const Kernel> kernel = kernelFor(ratio);
    const auto length = static_cast<int64_t>(samples.size());
    const int64_t before = std::max<int64_t>(0, -kernel->phases.front().offset);
    const int64_t after = ratio.from + kernel->numTaps;
    std::vector<float> padded(static_cast<size_t>(before + length + after), 0.0F);
    std::copy(samples.begin(), samples.end(), padded.begin() + before);

    std::vector<float> result(static_cast<size_t>(resampledLength(length, ratio)));
    size_t out = 0;
    for (int64_t block = before; out < result.size(); block += ratio.from) {
        for (const Kernel::Phase& phase : kernel->phases) {
            if (out == result.size())
                break;
            result[out++] = dot(padded.data() + block + phase.offset,
                kernel->taps.data() + phase.begin, kernel->numTaps);
        }
    }
    return result;
}

} // namespace kymo::data
