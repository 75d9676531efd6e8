#include "core/decode/s2s_search.h"

#include "core/model/masks.h"

#include <algorithm>
#include <cmath>
#include <torch/utils.h>

namespace earwright::decode {

namespace {

/// Tokens before the first end, relative to all.
torch::Tensor lengthsOf(const torch::Tensor& tokens_BL, int64_t eosIndex)
{
    const torch::Tensor isGoingOn_BL = tokens_BL.ne(eosIndex).to(torch::kFloat32).cumprod(1);
    return isGoingOn_BL.sum(1) / static_cast<double>(tokens_BL.size(1));
}

} // namespace

std::vector<std::vector<int64_t>> S2SHypotheses::best(int64_t place) const
{
    const torch::Tensor tokens_BL = tokens_BKL.select(1, place).contiguous();
    const torch::Tensor counts_B
        = torch::round(lengths_BK.select(1, place).cpu() * tokens_BL.size(1)).to(torch::kInt64);
    std::vector<std::vector<int64_t>> rows;
    for (int64_t b = 0; b < tokens_BL.size(0); ++b) {
        const int64_t* first = tokens_BL.const_data_ptr<int64_t>() + b * tokens_BL.size(1);
        rows.emplace_back(first, first + counts_B[b].item<int64_t>());
    }
    return rows;
}

S2SHypotheses greedyS2S(StepDecoder& decoder, const S2SOptions& options,
    const torch::Tensor& encoder_BTD, const torch::Tensor& lengths_B, bool keepsAll)
{
    const torch::NoGradGuard noGrad;
    const int64_t rows = encoder_BTD.size(0);
    const int64_t frames = encoder_BTD.size(1);
    decoder.start(encoder_BTD, model::frameCounts(lengths_B.to(encoder_BTD.device()), frames), 1);
    torch::Tensor tokens_B = torch::full(
        { rows }, options.bosIndex, torch::dtype(torch::kInt64).device(encoder_BTD.device()));
    torch::Tensor hasEnded_B = torch::zeros_like(tokens_B, torch::kBool);
    std::vector<torch::Tensor> tokens, scores, all;
    const auto least = static_cast<int64_t>(static_cast<double>(frames) * options.minDecodeRatio);
    auto most = static_cast<int64_t>(static_cast<double>(frames) * options.maxDecodeRatio);
    if (options.maxTokens)
        most = std::min(most, least + std::max<int64_t>(1, *options.maxTokens));
    for (int64_t step = least; step < most; ++step) {
        const torch::Tensor logits_BV = decoder.next(tokens_B);
        const torch::Tensor logProbs_BV = logits_BV.to(torch::kFloat32).log_softmax(-1);
        const torch::Tensor best_B = logits_BV.argmax(-1);
        hasEnded_B = hasEnded_B | best_B.eq(options.eosIndex);
        tokens_B = best_B.masked_fill(hasEnded_B, options.eosIndex);
        tokens.push_back(tokens_B);
        scores.push_back(
            logProbs_BV.gather(1, best_B.unsqueeze(1)).squeeze(1).masked_fill(hasEnded_B, 0));
        if (keepsAll)
            all.push_back(logProbs_BV.masked_fill(hasEnded_B.unsqueeze(1), -INFINITY));
        if (hasEnded_B.all().item<bool>())
            break;
    }
    if (tokens.empty())
        return { torch::empty({ rows, 1, 0 }, torch::kInt64), torch::zeros({ rows, 1 }),
            torch::empty({ rows, 1, 0 }), {}, torch::empty({ rows, 1, 0, 0 }) };
    const auto together = [](const std::vector<torch::Tensor>& steps) {
        return torch::stack(steps, 1).cpu().unsqueeze(1);
    };
    const torch::Tensor tokens_BKL = together(tokens);
    return { tokens_BKL, lengthsOf(tokens_BKL.squeeze(1), options.eosIndex).unsqueeze(1),
        together(scores), {}, keepsAll ? together(all) : torch::Tensor() };
}

} // namespace earwright::decode
