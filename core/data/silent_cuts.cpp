#include "core/data/silent_cuts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace earwright::data {
namespace {

constexpr double kWindowSeconds = 0.2; ///< of which the energy is taken: longer than a stop's gap
constexpr double kHopSeconds = 0.01; ///< from one to the next
constexpr double kAlikeDb = 3; ///< above the least
constexpr double kSilenceDb = -80; ///< of full scale

using Samples = std::vector<float>;

int64_t samplesIn(double seconds, const SilentCuts& options)
{
    return std::max<int64_t>(1, std::llround(seconds * options.sampleRateHz));
}

/// Of the window around each place from `from` to `to`, a hop apart, in dB of full scale.
std::vector<double> energiesDb(
    const Samples& samples, int64_t from, int64_t to, const SilentCuts& options)
{
    const int64_t hop = samplesIn(kHopSeconds, options);
    const int64_t reach = samplesIn(kWindowSeconds / 2, options);
    std::vector<double> energies;
    for (int64_t place = from; place < to; place += hop) {
        const int64_t begin = std::max<int64_t>(place - reach, 0);
        const int64_t end = std::min<int64_t>(place + reach, std::ssize(samples));
        double sum = 0;
        for (int64_t i = begin; i < end; ++i) {
            const double sample = static_cast<double>(samples[static_cast<size_t>(i)]);
            sum += sample * sample;
        }
        const double mean = sum / static_cast<double>(std::max<int64_t>(end - begin, 1));
        energies.push_back(std::max(10 * std::log10(mean + 1e-30), kSilenceDb));
    }
    return energies;
}

/// The middle of the longest stretch of the quietest, as a place in the list.
int64_t quietest(const std::vector<double>& energies)
{
    const double limit = *std::min_element(energies.begin(), energies.end()) + kAlikeDb;
    int64_t begin = 0;
    std::pair<int64_t, int64_t> longest { 0, 0 };
    for (int64_t i = 0; i <= std::ssize(energies); ++i) {
        if (i < std::ssize(energies) && energies[static_cast<size_t>(i)] <= limit)
            continue;
        if (i > begin && i - begin >= longest.second - longest.first)
            longest = { begin, i };
        begin = i + 1;
    }
    return (longest.first + longest.second - 1) / 2;
}

} // namespace

std::vector<int64_t> cutAtSilence(const Samples& samples, const SilentCuts& options)
{
    const int64_t most = samplesIn(options.maxSeconds, options);
    std::vector<int64_t> begins { 0 };
    for (int64_t left = std::ssize(samples); left > most;) {
        const int64_t from = begins.back() + most / 2;
        const int64_t to = begins.back() + std::min(most, left - most / 4);
        const std::vector<double> energies = energiesDb(samples, from, to, options);
        const int64_t place = from + quietest(energies) * samplesIn(kHopSeconds, options);
        const int64_t cut = place - place % options.stepSamples;
        if (cut <= begins.back()) // a step is longer than a segment
            break;
        begins.push_back(cut);
        left = std::ssize(samples) - cut;
    }
    return begins;
}

} // namespace earwright::data
