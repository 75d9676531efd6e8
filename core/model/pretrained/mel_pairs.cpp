#include "core/model/pretrained/mel_pairs.h"

#include "core/model/transformer/masks.h"

namespace earwright::model {

namespace {

constexpr double kBinEps = 1e-7;

catalog::WavFrontendConfig kaldiConfig(int64_t mels)
{
    catalog::WavFrontendConfig config;
    config.window = "povey";
    config.nMels = mels;
    config.dither = 0;
    return config;
}

} // namespace

MelPairs::MelPairs(int64_t mels)
    : m_bank(kaldiConfig(mels))
{
}

torch::Tensor MelPairs::logMels(const torch::Tensor& wav_BN, const torch::Tensor& samples_B)
{
    const torch::NoGradGuard noGrad;
    const auto size = static_cast<double>(wav_BN.size(1));
    return m_bank.forward(wav_BN, samples_B.to(torch::kDouble) / size);
}

MelPairs::Output MelPairs::of(const torch::Tensor& wav_BN, const torch::Tensor& samples_B)
{
    const torch::NoGradGuard noGrad;
    const int64_t longest = std::min(samples_B.max().item<int64_t>(), wav_BN.size(1));
    const torch::Tensor mels_BTM = logMels(wav_BN.narrow(1, 0, longest), samples_B);
    const int64_t frames = mels_BTM.size(1);
    const torch::Tensor frames_B = m_bank.frameCounts(samples_B);
    TORCH_CHECK(frames > 1, "sounds of ", longest,
        " samples are too short for the encoder: they make no pair of frames");
    const torch::Tensor isPadding_BT1
        = keyPaddingOfCounts(frames_B, frames).to(wav_BN.device()).unsqueeze(2);
    const torch::Tensor counts_B11
        = frames_B.to(mels_BTM.options()).clamp_min(1).view({ -1, 1, 1 });
    const torch::Tensor mean = mels_BTM.masked_fill(isPadding_BT1, 0).sum(1, true) / counts_B11;
    const torch::Tensor centred = (mels_BTM - mean).masked_fill(isPadding_BT1, 0);
    const torch::Tensor variance = centred.square().sum(1, true) / (counts_B11 - 1).clamp_min(1);
    const torch::Tensor normed_BTM = centred / torch::sqrt(variance + kBinEps);
    const torch::Tensor even_BTM = torch::constant_pad_nd(normed_BTM, { 0, 0, 0, frames % 2 });
    return { even_BTM.reshape({ wav_BN.size(0), -1, 2 * mels_BTM.size(2) }),
        frames_B.floor_divide(2) };
}

} // namespace earwright::model
