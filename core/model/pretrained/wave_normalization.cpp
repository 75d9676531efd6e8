#include "core/model/pretrained/wave_normalization.h"

namespace earwright::model {

namespace {

constexpr double kAloneEps = 1e-7;

} // namespace

torch::Tensor normalizedWithPadding(const torch::Tensor& wav_BN)
{
    return at::layer_norm(wav_BN, { wav_BN.size(1) });
}

torch::Tensor normalizedAlone(const torch::Tensor& wav_BN, const torch::Tensor& samples_B)
{
    const int64_t size = wav_BN.size(1);
    const torch::Tensor samples_B1 = (samples_B.defined()
            ? samples_B.to(wav_BN.device())
            : torch::full({ wav_BN.size(0) }, size, wav_BN.options().dtype(torch::kLong)))
                                         .clamp_min(1)
                                         .unsqueeze(1);
    const torch::Tensor isOwn_BN = torch::arange(size, samples_B1.options()) < samples_B1;
    const auto meanOf = [&](const torch::Tensor& x_BN) {
        return x_BN.masked_fill(~isOwn_BN, 0).sum(1, true) / samples_B1;
    };
    const torch::Tensor centred_BN = wav_BN - meanOf(wav_BN);
    const torch::Tensor variance_B1 = meanOf(centred_BN.square());
    return (centred_BN / torch::sqrt(variance_B1 + kAloneEps)).masked_fill(~isOwn_BN, 0);
}

} // namespace earwright::model
