#pragma once

#include <cstdint>
#include <vector>

namespace earwright::data {

/// A resampling from `from` to `to` samples a second, in smallest terms.
struct Ratio {
    int from = 1;
    int to = 1;
    bool isIdentity() const { return from == to; }
};

Ratio rateRatio(int fromHz, int toHz);
/// Playing faster by `speed` (1.1 = a tenth faster, so shorter): speed : 1 in smallest terms,
/// rounded to thousandths. Source: speechbrain.augment.time_domain.SpeedPerturb, which takes
/// speed:100 for whole percents.
Ratio speedRatio(double speed);

/// ceil(length * to / from): the samples that come out.
int64_t resampledLength(int64_t length, Ratio ratio);

/// Windowed sinc (Hann, width 6, rolloff 0.99), the numerics of torchaudio.functional.resample: the
/// kernel is computed in float64 and used in float32. Kernels are kept, one a ratio. Safe from any
/// thread.
std::vector<float> resample(const std::vector<float>& samples, Ratio ratio);
inline std::vector<float> resample(const std::vector<float>& samples, int fromHz, int toHz)
{
    return resample(samples, rateRatio(fromHz, toHz));
}

} // namespace earwright::data
