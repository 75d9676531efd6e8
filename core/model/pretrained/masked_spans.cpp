#include "core/model/pretrained/masked_spans.h"

#include <algorithm>
#include <torch/utils.h>

namespace earwright::model {

namespace {

/// Of a row of `length` places, where the axis has `size`.
int64_t spanCount(const SpanMasking& masking, int64_t size, int64_t length, double rounding)
{
    const double wanted
        = masking.share * static_cast<double>(length) / static_cast<double>(masking.length);
    int64_t spans = std::max(static_cast<int64_t>(wanted + rounding), masking.least);
    if (spans * masking.length > size)
        spans = size / masking.length;
    return std::clamp<int64_t>(spans, 0, std::max<int64_t>(length - masking.length + 1, 0));
}

} // namespace

torch::Tensor maskedSpans(const SpanMasking& masking, int64_t size,
    const std::vector<int64_t>& lengths, RandomSource& random)
{
    TORCH_CHECK(masking.length <= size, "a masked span of ", masking.length, " does not fit into ",
        size,
        " frames or features: shorten mask_time_length or "
        "mask_feature_length of config.json, or set apply_spec_augment: False");
    const auto rows = static_cast<int64_t>(lengths.size());
    torch::Tensor masked = torch::zeros({ rows, size }, torch::kBool);
    const double rounding = random.uniform({ 1 }).item<double>();
    const int64_t most = spanCount(masking, size, size, rounding);
    if (most == 0)
        return masked;
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t length = lengths[static_cast<size_t>(row)];
        const int64_t spans = spanCount(masking, size, length, rounding);
        torch::Tensor place = masked.select(0, row);
        if (spans == 0) {
            place.narrow(0, size - 1, 1).fill_(true);
            continue;
        }
        const torch::Tensor starts = random.permutation(length - masking.length + 1);
        for (int64_t i = 0; i < spans; ++i)
            place.narrow(0, starts[i].item<int64_t>(), masking.length).fill_(true);
    }
    return masked;
}

FrameMasking::FrameMasking(const EncoderConfig& config, std::shared_ptr<RandomSource> random)
    : m_config(config)
    , m_random(std::move(random))
{
    if (config.hasMaskVector())
        vector = torch::rand({ config.width });
}

torch::Tensor FrameMasking::drawnFrames(
    const torch::Tensor& x_BTD, const torch::Tensor& frames_B) const
{
    std::vector<int64_t> lengths(static_cast<size_t>(x_BTD.size(0)), x_BTD.size(1));
    if (frames_B.defined()) {
        const torch::Tensor counts = frames_B.cpu();
        for (size_t row = 0; row < lengths.size(); ++row)
            lengths[row] = counts[static_cast<int64_t>(row)].item<int64_t>();
    }
    return maskedSpans(m_config.timeMasking, x_BTD.size(1), lengths, *m_random);
}

torch::Tensor FrameMasking::apply(torch::Tensor x_BTD, const torch::Tensor& frames_B,
    const torch::Tensor& masked_BT, bool isTraining) const
{
    if (!m_config.applySpecAugment)
        return x_BTD;
    torch::Tensor hidden_BT = masked_BT;
    if (!hidden_BT.defined() && isTraining && m_config.timeMasking.share > 0)
        hidden_BT = drawnFrames(x_BTD, frames_B);
    if (hidden_BT.defined()) {
        TORCH_CHECK(vector.defined(), "the encoder has no vector for masked frames");
        x_BTD = torch::where(
            hidden_BT.to(x_BTD.device()).unsqueeze(2), vector.to(x_BTD.scalar_type()), x_BTD);
    }
    if (isTraining && m_config.featureMasking.share > 0) {
        const std::vector<int64_t> widths(static_cast<size_t>(x_BTD.size(0)), m_config.width);
        const torch::Tensor hidden_BD
            = maskedSpans(m_config.featureMasking, m_config.width, widths, *m_random);
        x_BTD = x_BTD.masked_fill(hidden_BD.to(x_BTD.device()).unsqueeze(1), 0);
    }
    return x_BTD;
}

} // namespace earwright::model
