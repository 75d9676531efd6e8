#include "core/model/augment/speed.h"

#include "core/model/resampling.h"

#include <map>
#include <mutex>

namespace earwright::model {

namespace {

/// Input samples, in blocks of ratio.from, that reach an output sample from either side; more than
/// data::resample()'s window has.
int64_t reachOf(data::Ratio ratio)
{
    constexpr int64_t kZeros = 7;
    const int64_t samples = kZeros * std::max(ratio.from, ratio.to) / ratio.to + 1;
    return (samples + ratio.from - 1) / ratio.from * ratio.from;
}

/// [P, inputs around a block]: how data::resample() answers an impulse at each place. Mostly zeros:
/// the whole would cost what upstream's kernel does, the more the larger a ratio's terms.
torch::Tensor impulseAnswers(data::Ratio ratio)
{
    const int64_t reach = reachOf(ratio);
    const int64_t count = 2 * reach + ratio.from;
    const int64_t first = reach / ratio.from * ratio.to;
    torch::Tensor answers = torch::empty({ ratio.to, count }, torch::kFloat);
    std::vector<float> impulse(static_cast<size_t>(count));
    for (int64_t place = 0; place < count; ++place) {
        impulse[static_cast<size_t>(place)] = 1;
        const torch::Tensor answer = torch::tensor(data::resample(impulse, ratio));
        answers.select(1, place).copy_(answer.narrow(0, first, ratio.to));
        impulse[static_cast<size_t>(place)] = 0;
    }
    return answers;
}

Taps makeTaps(data::Ratio ratio)
{
    const torch::Tensor answers = impulseAnswers(ratio);
    const int64_t count = answers.size(1);
    const torch::Tensor isTap = answers.ne(0).to(torch::kLong);
    const torch::Tensor first_P = isTap.argmax(1);
    const torch::Tensor last_P = count - 1 - isTap.flip(1).argmax(1);
    const int64_t most = (last_P - first_P).max().item<int64_t>() + 1;
    const torch::Tensor begin_P = first_P.clamp_max(count - most);
    const torch::Tensor places_PK = begin_P.unsqueeze(1) + torch::arange(most);
    return { begin_P - reachOf(ratio), answers.gather(1, places_PK).t().contiguous() };
}

Taps tapsOf(data::Ratio ratio)
{
    static std::mutex mutex;
    static std::map<std::pair<int, int>, Taps> all;
    const std::lock_guard lock(mutex);
    Taps& taps = all[{ ratio.from, ratio.to }];
    if (!taps.first_P.defined())
        taps = makeTaps(ratio);
    return taps;
}

} // namespace

torch::Tensor gathered(const torch::Tensor& waves_BT, data::Ratio ratio)
{
    return resampledBy(tapsOf(ratio), ratio, waves_BT);
}

torch::Tensor resampleRows(const torch::Tensor& waves_BT, data::Ratio ratio)
{
    if (ratio.isIdentity())
        return waves_BT;
    if (!waves_BT.is_cpu() || waves_BT.requires_grad()) // data::resample() passes no gradient
        return gathered(waves_BT, ratio);
    const torch::Tensor rows_BT = waves_BT.to(at::kFloat).contiguous();
    std::vector<torch::Tensor> resampled;
    for (int64_t row = 0; row < rows_BT.size(0); ++row) {
        const float* samples = rows_BT[row].data_ptr<float>();
        resampled.push_back(torch::tensor(
            data::resample(std::vector<float>(samples, samples + rows_BT.size(1)), ratio)));
    }
    return torch::stack(resampled).to(waves_BT);
}

Augmented SpeedPerturb::apply(
    const torch::Tensor& waves_BT, const torch::Tensor& lengths_B, RandomSource& random)
{
    const auto which = static_cast<size_t>(random.integer(0, std::ssize(m_speeds)));
    return { resampleRows(waves_BT, data::speedRatio(m_speeds[which] / 100)), lengths_B };
}

} // namespace earwright::model
