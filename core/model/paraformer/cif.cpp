#include "core/model/paraformer/cif.h"

#include "core/model/deterministic.h"

namespace earwright::model {

namespace {

int64_t tokensOf(const torch::Tensor& alphas_BT, std::optional<int64_t> tokens)
{
    return tokens ? *tokens : alphas_BT.detach().sum(-1).round().max().item().toLong();
}

/// The frames that fire, at the place of their token; what fires beyond `tokens` is left out. Found
/// by index, so that nothing is read from the device; only as many frames as tokens are moved.
torch::Tensor atTokens(
    const torch::Tensor& frames_BTD, const torch::Tensor& fires_BT, int64_t tokens)
{
    const torch::Tensor token = fires_BT.cumsum(1) - 1;
    const torch::Tensor place
        = torch::where(fires_BT, token, torch::full_like(token, tokens)).clamp_max(tokens);
    const torch::Tensor frame_BT = torch::arange(place.size(1), place.options()).expand_as(place);
    const torch::Tensor from_BU = torch::zeros({ place.size(0), tokens + 1 }, place.options())
                                      .scatter(1, place, frame_BT)
                                      .slice(1, 0, tokens);
    const torch::Tensor isNone_BU = torch::arange(tokens, place.options()) >= fires_BT.sum(1, true);
    return frames_BTD.gather(1, from_BU.unsqueeze(-1).expand({ -1, -1, frames_BTD.size(2) }))
        .masked_fill(isNone_BU.unsqueeze(-1), 0);
}

torch::Tensor delayed(const torch::Tensor& x_BUD)
{
    return torch::cat({ torch::zeros_like(x_BUD.slice(1, 0, 1)), x_BUD.slice(1, 0, -1) }, 1);
}

} // namespace

CifFrames cif(const torch::Tensor& hidden_BTD, const torch::Tensor& alphas_BT, double threshold,
    std::optional<int64_t> tokens)
{
    torch::Tensor integral = torch::zeros_like(alphas_BT.select(1, 0));
    torch::Tensor frame = torch::zeros_like(hidden_BTD.select(1, 0));
    std::vector<torch::Tensor> peaks;
    std::vector<torch::Tensor> frames;
    for (int64_t t = 0; t < hidden_BTD.size(1); ++t) {
        const torch::Tensor alpha = alphas_BT.select(1, t);
        const torch::Tensor hidden = hidden_BTD.select(1, t);
        const torch::Tensor room = 1 - integral;
        integral = integral + alpha;
        const torch::Tensor fires = integral >= threshold;
        const torch::Tensor share = torch::where(fires, room, alpha);
        frame = frame + share.unsqueeze(1) * hidden;
        peaks.push_back(integral);
        frames.push_back(frame);
        integral = torch::where(fires, integral - 1, integral);
        frame = torch::where(fires.unsqueeze(1), (alpha - share).unsqueeze(1) * hidden, frame);
    }
    const torch::Tensor peaks_BT = torch::stack(peaks, 1);
    return { atTokens(torch::stack(frames, 1), peaks_BT >= threshold, tokensOf(alphas_BT, tokens)),
        peaks_BT };
}

CifFrames cifFromSums(
    const torch::Tensor& hidden_BTD, const torch::Tensor& alphas_BT, std::optional<int64_t> tokens)
{
    const int64_t count = tokensOf(alphas_BT, tokens);
    // In double, for rounding moves the places that fire.
    const torch::Tensor sums = cumulativeSum(alphas_BT, torch::kDouble).to(alphas_BT.scalar_type());
    const torch::Tensor whole = sums.detach().floor();
    const torch::Tensor before
        = torch::cat({ torch::zeros_like(whole.slice(1, 0, 1)), whole.slice(1, 0, -1) }, 1);
    const torch::Tensor fires = whole > before;
    const torch::Tensor peaks = fires + sums - whole;
    const torch::Tensor rest = (peaks - peaks.detach().floor()).unsqueeze(-1) * hidden_BTD;
    const torch::Tensor weighted = alphas_BT.unsqueeze(-1) * hidden_BTD;
    const torch::Tensor total
        = atTokens(cumulativeSum(weighted, weighted.scalar_type()), fires, count);
    const torch::Tensor left = atTokens(rest, fires, count);
    const torch::Tensor embeds = total - delayed(total) + delayed(left) - left;
    const torch::Tensor exists
        = torch::arange(count, whole.options().dtype(torch::kLong)) < fires.sum(1, true);
    return { torch::where(exists.unsqueeze(-1), embeds, torch::zeros_like(embeds)), peaks };
}

torch::Tensor cifPeaks(const torch::Tensor& alphas_BT, double threshold)
{
    torch::Tensor integral = torch::zeros_like(alphas_BT.select(1, 0));
    std::vector<torch::Tensor> peaks;
    for (const torch::Tensor& alpha : alphas_BT.unbind(1)) {
        integral = integral + alpha;
        peaks.push_back(integral);
        integral = torch::where(integral >= threshold, integral - threshold, integral);
    }
    return torch::stack(peaks, 1);
}

} // namespace earwright::model
