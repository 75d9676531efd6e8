#include "core/train/augment.h"

#include "core/catalog/read.h"

namespace kymo::train {

namespace {

constexpr const char* kDrop = "speechbrain.augment.freq_domain.SpectrogramDrop";
constexpr const char* kSpeed = "speechbrain.augment.time_domain.SpeedPerturb";

std::vector<recipe::NodePtr> partsOf(const recipe::Node& augmenter)
{
    const recipe::NodePtr list = recipe::find(augmenter, "augmentations");
    if (list)
        return list->items;
    return { std::make_shared<recipe::Node>(augmenter) };
}

Error unknown(const recipe::Node& part, const std::string& what)
{
    return Error { part.span.file + ":" + std::to_string(part.span.begin.line) + ": " + part.tag
        + " is not an augmentation of " + what + " that Kymo can apply" };
}

int64_t draw(int64_t low, int64_t high)
{
    return high > low ? torch::randint(low, high, { 1 }).item<int64_t>() : low;
}

/// Blanks `count` spans a row along one axis; positions and lengths are drawn per row.
torch::Tensor dropMask(int64_t rows, int64_t extent, const catalog::SpectrogramDropConfig& drop)
{
    const int64_t count = draw(drop.dropCountLow, drop.dropCountHigh + 1);
    if (count == 0 || extent == 0)
        return torch::zeros({ rows, extent }, torch::kBool);
    const torch::Tensor length_BN1 = torch::randint(drop.dropLengthLow,
        std::max(drop.dropLengthLow + 1, drop.dropLengthHigh), { rows, count, 1 });
    const torch::Tensor start_BN1 = torch::randint(0, extent, { rows, count, 1 });
    const torch::Tensor place_E = torch::arange(extent);
    return ((place_E >= start_BN1) & (place_E < start_BN1 + length_BN1)).any(1);
}

} // namespace

Result<FeatureAugmenter> FeatureAugmenter::from(const recipe::Node* augmenter)
{
    FeatureAugmenter result;
    if (!augmenter || recipe::newClass(*augmenter).empty())
        return result;
    std::vector<recipe::Diagnostic> diagnostics;
    if (recipe::find(*augmenter, "augmentations"))
        result.m_probability
            = catalog::readConfig<catalog::AugmenterConfig>(*augmenter, diagnostics).augmentProb;
    for (const recipe::NodePtr& part : partsOf(*augmenter)) {
        if (recipe::newClass(*part) != kDrop)
            return unknown(*part, "features");
        const auto drop = catalog::readConfig<catalog::SpectrogramDropConfig>(*part, diagnostics);
        if (drop.replace != "zeros" && drop.replace != "mean")
            return Error { part->span.file + ":" + std::to_string(part->span.begin.line)
                + ": SpectrogramDrop replace '" + drop.replace
                + "' is not supported; use zeros or mean" };
        result.m_drops.push_back(drop);
    }
    return result;
}

torch::Tensor FeatureAugmenter::apply(const torch::Tensor& features_BTF) const
{
    if (m_drops.empty() || (m_probability < 1 && torch::rand({ 1 }).item<double>() > m_probability))
        return features_BTF;
    torch::Tensor result = features_BTF;
    for (const catalog::SpectrogramDropConfig& drop : m_drops) {
        const torch::Tensor mask_BE
            = dropMask(result.size(0), result.size(drop.dim), drop).to(result.device());
        const torch::Tensor mask = drop.dim == 1 ? mask_BE.unsqueeze(2) : mask_BE.unsqueeze(1);
        const torch::Tensor value
            = drop.replace == "mean" ? result.mean() : torch::zeros({}, result.options());
        result = torch::where(mask, value, result);
    }
    return result;
}

Result<std::vector<double>> speedsOf(const recipe::Node* augmenter)
{
    std::vector<double> speeds;
    if (!augmenter || recipe::newClass(*augmenter).empty())
        return speeds;
    std::vector<recipe::Diagnostic> diagnostics;
    for (const recipe::NodePtr& part : partsOf(*augmenter)) {
        if (recipe::newClass(*part) != kSpeed)
            return unknown(*part, "waves");
        for (const double percent :
            catalog::readConfig<catalog::SpeedPerturbConfig>(*part, diagnostics).speeds)
            speeds.push_back(percent / 100);
    }
    return speeds;
}

} // namespace kymo::train
