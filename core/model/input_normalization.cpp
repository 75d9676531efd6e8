#include "core/model/input_normalization.h"

#include "core/model/autocast_off.h"
#include "core/model/masks.h"
#include "core/model/sum_over_ranks.h"

#include <torch/utils.h>

namespace earwright::model {

namespace {

constexpr std::array<int64_t, 2> kBatchAndTime { 0, 1 };

} // namespace

InputNormalization::InputNormalization(const catalog::InputNormalizationConfig& config)
    : m_config(config)
{
}

torch::Tensor InputNormalization::forward(torch::Tensor input, torch::Tensor lengths_B)
{
    const AutocastOff fullPrecision(input.device().type());
    const torch::Tensor x = input.to(fullType(input));
    const torch::Tensor valid = paddingMask(lengths_B, x.size(1), x).unsqueeze(2);
    auto [mean, std] = meanAndStd(x, valid.to(x.scalar_type()));
    if (!m_config.stdNorm)
        std = torch::ones_like(mean);
    if (m_config.avoidPaddingNorm) {
        mean = torch::where(valid, mean, 0.0);
        std = torch::where(valid, std, 1.0);
    }
    return (x - mean) / std.clamp_min(m_config.epsilon);
}

/// Both [batch or 1, 1, features].
std::pair<torch::Tensor, torch::Tensor> InputNormalization::meanAndStd(
    const torch::Tensor& x_BTF, const torch::Tensor& mask_BT1)
{
    if (m_config.normType == "sentence") {
        const torch::Tensor count = mask_BT1.sum(1, true);
        const torch::Tensor mean = (x_BTF * mask_BT1).sum(1, true) / count;
        if (!m_config.stdNorm)
            return { mean, mean };
        return { mean, (((x_BTF - mean) * mask_BT1).square().sum(1, true) / count).sqrt() };
    }
    if (m_config.normType == "batch") {
        const Moments batch = overRanks(batchMoments(x_BTF, mask_BT1));
        return { batch.mean, batch.variance.clamp_min(m_config.epsilon).sqrt() };
    }
    if (is_training() && isLearning()) {
        const torch::NoGradGuard noGrad;
        learn(overRanks(batchMoments(x_BTF, mask_BT1)));
    }
    TORCH_CHECK(m_mean.defined(),
        "norm_type: global has no statistics to normalise by: they are learnt from the training "
        "batches of the epochs before update_until_epoch, here ",
        m_config.updateUntilEpoch ? std::to_string(*m_config.updateUntilEpoch) : "null",
        ". Set it to 2 or more, or to null, or start from a run that has them (init_param)");
    m_mean = m_mean.to(x_BTF.device());
    m_std = m_std.to(x_BTF.device());
    return { m_mean.view({ 1, 1, -1 }), m_std.view({ 1, 1, -1 }) };
}

/// Upstream takes null and 0 alike for no end.
bool InputNormalization::isLearning() const
{
    const int64_t end = m_config.updateUntilEpoch.value_or(0);
    return m_epoch == 0 || end == 0 || m_epoch < end;
}

/// Of all valid frames: one number for count, [1, 1, features] for the others.
InputNormalization::Moments InputNormalization::batchMoments(
    const torch::Tensor& x_BTF, const torch::Tensor& mask_BT1) const
{
    const torch::Tensor count = mask_BT1.sum();
    const torch::Tensor mean = (x_BTF * mask_BT1).sum(kBatchAndTime, true) / count;
    return { count, mean, ((x_BTF - mean).square() * mask_BT1).sum(kBatchAndTime, true) / count };
}

/// Of the valid frames of all ranks while training: in an evaluation each rank has whole batches.
/// Moments of sets of frames put together: counts add, means weigh by count, a variance is about
/// the common mean. Features may learn: the mean and the variance have a gradient then.
InputNormalization::Moments InputNormalization::overRanks(const Moments& batch) const
{
    const Moments own { batch.count.to(at::kDouble), batch.mean, batch.variance };
    if (!m_allReduce || !is_training())
        return own;
    torch::Tensor total = own.count.clone();
    m_allReduce(total);
    const torch::Tensor weight = (own.count / total).to(own.mean.scalar_type());
    const torch::Tensor mean = sumOverRanks(weight * own.mean, m_allReduce);
    const torch::Tensor variance
        = sumOverRanks(weight * (own.variance + (own.mean - mean).square()), m_allReduce);
    return { total, mean, variance };
}

void InputNormalization::learn(const Moments& batch)
{
    const Moments news { batch.count, batch.mean.flatten(), batch.variance.flatten() };
    if (!m_mean.defined()) {
        m_count = torch::zeros_like(news.count);
        m_mean = news.mean;
        m_std = news.variance.clamp_min(m_config.epsilon).sqrt();
    }
    const torch::Tensor count = m_count.to(news.count.device()) + news.count;
    const torch::Tensor newWeight = (news.count / count).to(news.mean.scalar_type());
    const torch::Tensor oldMean = m_mean.to(newWeight.device());
    const torch::Tensor oldVariance = m_std.to(newWeight.device()).square();
    const torch::Tensor mean = (1 - newWeight) * oldMean + newWeight * news.mean;
    const torch::Tensor variance = (1 - newWeight) * (oldVariance + (mean - oldMean).square())
        + newWeight * (news.variance + (mean - news.mean).square());
    m_count = count;
    m_mean = mean;
    m_std = variance.clamp_min(m_config.epsilon).sqrt();
}

std::map<std::string, torch::Tensor> InputNormalization::state() const
{
    if (!m_mean.defined())
        return { { "count", torch::zeros({}, at::kLong) } };
    return { { "count", m_count.to(at::kLong) }, { "glob_mean", m_mean }, { "glob_std", m_std } };
}

void InputNormalization::restore(const std::map<std::string, torch::Tensor>& state)
{
    TORCH_CHECK(state.contains("count"), "the state of the input normalisation lacks 'count'");
    if (state.at("count").item<int64_t>() == 0) {
        m_mean = m_std = m_count = torch::Tensor();
        return;
    }
    TORCH_CHECK(state.contains("glob_mean") && state.contains("glob_std"),
        "the state of the input normalisation lacks 'glob_mean' or "
        "'glob_std'");
    const at::ScalarType type = c10::typeMetaToScalarType(at::get_default_dtype());
    m_count = state.at("count").to(at::kDouble).reshape({});
    m_mean = state.at("glob_mean").to(type).flatten().clone();
    m_std = state.at("glob_std").to(type).flatten().clone();
}

} // namespace earwright::model
