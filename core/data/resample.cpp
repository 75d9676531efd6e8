#include "core/data/resample.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <numeric>
#include <utility>

namespace earwright::data {
namespace {

constexpr double kLowpassWidth = 6;
constexpr double kRolloff = 0.99;
constexpr int kLanes = 8; ///< outputs computed side by side by vector instructions

/// Filters of the `to` output samples that fall into a block of `from` input samples. Of each
/// kLanes outputs one after the other the taps of one input sample lie together: the sums need no
/// adding up across a vector.
struct Kernel {
    struct Group {
        int64_t offset = 0; ///< of the first tap from the block's first sample; may be negative
        size_t begin = 0; ///< into taps
    };
    Ratio ratio; ///< `to` a multiple of kLanes
    std::vector<Group> groups;
    std::vector<float> taps; ///< numTaps times kLanes a group, zero padded
    int64_t numTaps = 0;
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

/// The same ratio, whose outputs in a block fill groups.
Ratio filling(Ratio ratio)
{
    const int times = kLanes / std::gcd(ratio.to, kLanes);
    return { ratio.from * times, ratio.to * times };
}

/// Only the taps inside the window are kept: torchaudio's dense kernel is zero beyond it.
Kernel makeKernel(Ratio reduced)
{
    const Ratio ratio = filling(reduced);
    const double cutoff = std::min(ratio.from, ratio.to) * kRolloff;
    const double reach = kLowpassWidth * ratio.from / cutoff; // in input samples
    const auto centreOf
        = [&](int64_t phase) { return static_cast<double>(phase) * ratio.from / ratio.to; };
    Kernel kernel { .ratio = ratio, .groups = {}, .taps = {} };
    kernel.numTaps = static_cast<int64_t>(std::floor(2 * reach + centreOf(kLanes - 1))) + 1;
    kernel.taps.assign(static_cast<size_t>(kernel.numTaps * ratio.to), 0.0F);
    for (int64_t phase = 0; phase < ratio.to; ++phase) {
        const int64_t lane = phase % kLanes;
        const auto first = static_cast<int64_t>(std::ceil(centreOf(phase - lane) - reach));
        const auto begin = static_cast<size_t>((phase - lane) * kernel.numTaps);
        if (lane == 0)
            kernel.groups.push_back({ first, begin });
        for (int64_t i = 0; i < kernel.numTaps; ++i) {
            if (std::abs(static_cast<double>(first + i) - centreOf(phase)) <= reach)
                kernel.taps[begin + static_cast<size_t>(i * kLanes + lane)]
                    = static_cast<float>(tap(phase, first + i, ratio, cutoff));
        }
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

/// kLanes outputs of `size` samples.
void filter(const float* samples, const float* taps, int64_t size, float* result)
{
    float sums[kLanes] = {};
    for (int64_t i = 0; i < size; ++i) {
        for (int lane = 0; lane < kLanes; ++lane)
            sums[lane] += samples[i] * taps[i * kLanes + lane];
    }
    std::copy(std::begin(sums), std::end(sums), result);
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
    const int64_t before = std::max<int64_t>(0, -kernel->groups.front().offset);
    const int64_t after = kernel->ratio.from + kernel->numTaps;
    std::vector<float> padded(static_cast<size_t>(before + length + after), 0.0F);
    std::copy(samples.begin(), samples.end(), padded.begin() + before);

    const auto wanted = static_cast<size_t>(resampledLength(length, ratio));
    std::vector<float> result(wanted + kLanes);
    size_t out = 0;
    for (int64_t block = before; out < wanted; block += kernel->ratio.from) {
        for (const Kernel::Group& group : kernel->groups) {
            if (out >= wanted)
                break;
            filter(padded.data() + block + group.offset, kernel->taps.data() + group.begin,
                kernel->numTaps, result.data() + out);
            out += kLanes;
        }
    }
    result.resize(wanted);
    return result;
}

} // namespace earwright::data
