#include "core/model/paraformer/wav_frontend.h"

#include "core/data/cmvn.h"
#include "core/model/autocast_off.h"
#include "core/model/transformer/masks.h"

#include <bit>
#include <cmath>
#include <limits>

namespace earwright::model {

namespace {

constexpr double kPreemphasis = 0.97;
constexpr double kLowestHz = 20;
constexpr double kFullScale = 32768;

double kaldiMelOf(double hz)
{
    return 1127 * std::log(1 + hz / 700);
}

torch::Tensor windowOf(const std::string& name, int64_t size)
{
    const auto options = torch::TensorOptions(torch::kDouble);
    if (name == "hamming")
        return torch::hamming_window(size, false, 0.54, 0.46, options);
    if (name == "rectangular")
        return torch::ones(size, options);
    const torch::Tensor hann = torch::hann_window(size, false, options);
    return name == "povey" ? hann.pow(0.85) : hann;
}

/// Triangles in mel from 20 Hz to half the sample rate, [transform / 2 + 1, mels]; the highest bin
/// counts for none.
torch::Tensor melFilters(int64_t mels, int64_t transform, int64_t sampleRate)
{
    const auto rate = static_cast<double>(sampleRate);
    const double low = kaldiMelOf(kLowestHz);
    const double step = (kaldiMelOf(rate / 2) - low) / static_cast<double>(mels + 1);
    const auto options = torch::TensorOptions(torch::kDouble);
    const torch::Tensor hz_K
        = torch::arange(transform / 2, options) * (rate / static_cast<double>(transform));
    const torch::Tensor mel_K1 = (1127 * torch::log1p(hz_K / 700)).unsqueeze(1);
    const torch::Tensor left_M = low + torch::arange(mels, options) * step;
    const torch::Tensor up = (mel_K1 - left_M) / step;
    const torch::Tensor down = (left_M + 2 * step - mel_K1) / step;
    return torch::constant_pad_nd(torch::minimum(up, down).clamp_min(0), { 0, 0, 0, 1 });
}

std::vector<int64_t> toList(const torch::Tensor& counts_B)
{
    const torch::Tensor counts = counts_B.to(torch::kCPU, torch::kLong).contiguous();
    return { counts.data_ptr<int64_t>(), counts.data_ptr<int64_t>() + counts.numel() };
}

} // namespace

torch::Tensor stackFrames(
    const torch::Tensor& x_BTF, const torch::Tensor& counts_B, int64_t stacked, int64_t step)
{
    const int64_t rows = (x_BTF.size(1) + step - 1) / step;
    const auto whole = torch::TensorOptions(x_BTF.device()).dtype(torch::kLong);
    const torch::Tensor first_R1 = (torch::arange(rows, whole) * step).unsqueeze(1);
    const torch::Tensor place_RM = first_R1 + torch::arange(stacked, whole) - (stacked - 1) / 2;
    const torch::Tensor last_B11
        = (counts_B.to(whole, /*non_blocking=*/true) - 1).view({ -1, 1, 1 });
    const torch::Tensor row_B1 = torch::arange(x_BTF.size(0), whole).unsqueeze(1) * x_BTF.size(1);
    const torch::Tensor place_BR
        = torch::minimum(place_RM.clamp_min(0).unsqueeze(0), last_B11).flatten(1) + row_B1;
    return x_BTF.flatten(0, 1)
        .index_select(0, place_BR.flatten())
        .view({ x_BTF.size(0), rows, stacked * x_BTF.size(2) });
}

WavFrontend::WavFrontend(const catalog::WavFrontendConfig& config)
    : m_config(config)
    , m_window(config.fs * config.frameLength / 1000)
    , m_shift(config.fs * config.frameShift / 1000)
{
    TORCH_CHECK(m_shift > 0 && m_window > 1, "frames of ", m_window, " samples, one every ",
        m_shift, ": frame_length and frame_shift are too short");
    TORCH_CHECK(config.snipEdges, "Earwright builds a WavFrontend with snip_edges: True");
    m_bank = bankOf(m_window, torch::get_default_dtype());
    if (!config.cmvnFile || config.cmvnFile->empty())
        return;
    const Result<data::Cmvn> cmvn = data::readCmvn(*config.cmvnFile, config.nMels * config.lfrM);
    TORCH_CHECK(cmvn, cmvn ? "" : cmvn.error().message);
    m_cmvn_2F = torch::stack({ torch::tensor(cmvn->shifts), torch::tensor(cmvn->scales) });
}

int64_t WavFrontend::framesOf(int64_t samples) const
{
    return samples < m_window ? 1 : 1 + (samples - m_window) / m_shift;
}

torch::Tensor WavFrontend::frameCounts(const torch::Tensor& samples_B) const
{
    std::vector<int64_t> counts;
    for (const int64_t samples : toList(samples_B))
        counts.push_back((framesOf(samples) + m_config.lfrN - 1) / m_config.lfrN);
    return torch::tensor(counts, torch::kLong);
}

WavFrontend::Bank WavFrontend::bankOf(int64_t window, const torch::TensorOptions& options) const
{
    const auto transform = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window)));
    const torch::Tensor window_N
        = torch::constant_pad_nd(windowOf(m_config.window, window), { 0, transform - window });
    return { window, window_N.to(options), (window_N[0] * (1 - kPreemphasis)).to(options),
        MelFilters(melFilters(m_config.nMels, transform, m_config.fs).to(options)) };
}

/// Once, so that no step waits for a copy.
void WavFrontend::moveTo(const torch::TensorOptions& options)
{
    if (m_bank.window_N.device() == options.device() && m_bank.window_N.dtype() == options.dtype())
        return;
    m_bank = bankOf(m_window, options);
    if (m_cmvn_2F.defined())
        m_cmvn_2F = m_cmvn_2F.to(options);
}

/// Scaled, and each row without the mean of its own samples, in whole steps of 16 bits: what has no
/// offset stays as it is to the bit. A frame loses its mean anyway, but the emphasis of a wave far
/// from zero would round away what is small in it.
torch::Tensor WavFrontend::centred(
    const torch::Tensor& waves_BT, const std::vector<int64_t>& samples) const
{
    std::vector<torch::Tensor> means;
    for (size_t row = 0; row < samples.size(); ++row)
        means.push_back(waves_BT[static_cast<int64_t>(row)]
                            .narrow(0, 0, std::max<int64_t>(samples[row], 1))
                            .mean());
    const torch::Tensor offset_B1
        = (torch::stack(means).unsqueeze(1) * kFullScale).round() / kFullScale;
    const double scale = m_config.upscaleSamples ? kFullScale : 1;
    return torch::add(offset_B1 * -scale, waves_BT, scale);
}

torch::Tensor WavFrontend::dithered(const torch::Tensor& waves_BT) const
{
    if (m_config.dither == 0 || !is_training())
        return waves_BT;
    return waves_BT.add(torch::randn(waves_BT.sizes(), waves_BT.options()), m_config.dither);
}

/// [batch, samples] -> [batch, frames, n_mels] of whole windows. A frame is freed of its mean and
/// emphasized, its first sample with itself as the one before. Here the whole wave is emphasized,
/// and what remains of the mean is taken off the frame, so that frames, of which each sample is in
/// several, are gone through as seldom as can be. The waves are centred.
torch::Tensor WavFrontend::spectra(const torch::Tensor& waves_BT, const Bank& bank) const
{
    const int64_t last = waves_BT.size(1) - 1;
    const int64_t transform = bank.window_N.size(0);
    const torch::Tensor emphasized_BT = torch::cat(
        { waves_BT.narrow(1, 0, 1),
            torch::sub(waves_BT.narrow(1, 1, last), waves_BT.narrow(1, 0, last), kPreemphasis),
            waves_BT.new_zeros({ waves_BT.size(0), transform - bank.window }) },
        1);
    const auto plain = cacheSized(waves_BT.unfold(1, bank.window, m_shift));
    const auto emphasized = cacheSized(emphasized_BT.unfold(1, transform, m_shift));
    std::vector<torch::Tensor> parts;
    for (size_t i = 0; i < plain.size(); ++i) {
        const torch::Tensor mean_BT = plain[i].mean(-1);
        const torch::Tensor x = torch::sub(emphasized[i], mean_BT.unsqueeze(-1), 1 - kPreemphasis)
                                    .mul_(bank.window_N);
        x.select(-1, 0).copy_((plain[i].select(-1, 0) - mean_BT) * bank.first);
        parts.push_back(x.is_cuda() ? bank.filters.energiesOfRounded(x) : bank.filters.energies(x));
    }
    return torch::cat(parts, 1).clamp_min_(std::numeric_limits<float>::epsilon()).log_();
}

torch::Tensor WavFrontend::frames(
    const torch::Tensor& waves_BT, const std::vector<int64_t>& samples) const
{
    const int64_t missing = std::max<int64_t>(m_window - waves_BT.size(1), 0);
    torch::Tensor x
        = spectra(missing ? torch::constant_pad_nd(waves_BT, { 0, missing }) : waves_BT, m_bank);
    for (int64_t row = 0; row < x.size(0); ++row) {
        const int64_t own = samples[static_cast<size_t>(row)];
        if (own > 1 && own < m_window)
            x[row].narrow(0, 0, 1).copy_(
                spectra(waves_BT.narrow(0, row, 1).narrow(1, 0, own), bankOf(own, x.options()))[0]);
    }
    return x;
}

torch::Tensor WavFrontend::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    const AutocastOff fullPrecision(input.device().type());
    const torch::Tensor samples_B = lengths_B.defined()
        ? (lengths_B.to(torch::kCPU, torch::kDouble) * input.size(1)).round()
        : torch::full({ input.size(0) }, input.size(1), torch::kDouble);
    const std::vector<int64_t> samples = toList(samples_B);
    torch::Tensor x = input.to(fullType(input));
    moveTo(torch::TensorOptions(x.device()).dtype(x.dtype()));
    x = frames(dithered(centred(x, samples)), samples);
    std::vector<int64_t> counts;
    for (const int64_t own : samples)
        counts.push_back(framesOf(own));
    if (m_config.lfrM != 1 || m_config.lfrN != 1)
        x = stackFrames(x, torch::tensor(counts, torch::kLong), m_config.lfrM, m_config.lfrN);
    if (m_cmvn_2F.defined()) {
        const torch::Tensor cmvn = m_cmvn_2F.narrow(1, 0, x.size(2));
        x.add_(cmvn[0]).mul_(cmvn[1]);
    }
    const torch::Tensor counts_B = frameCounts(samples_B).to(x.device(), /*non_blocking=*/true);
    return x.masked_fill_(keyPaddingOfCounts(counts_B, x.size(1)).unsqueeze(-1), 0);
}

} // namespace earwright::model
