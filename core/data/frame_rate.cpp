#include "core/data/frame_rate.h"

#include "core/catalog/configs.h"
#include "core/catalog/read.h"
#include "core/check/layer_keys.h"
#include "core/data/recipe_data.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace earwright::data {
namespace {

/// The object under a key where its class has this name; what is wrong with its arguments is the
/// check's to say.
recipe::NodePtr objectAt(const recipe::Node& recipe, const char* key, std::string_view className)
{
    const recipe::NodePtr node = check::findLayer(recipe, key);
    return node && recipe::newClass(*node).ends_with(className) ? node : nullptr;
}

template <class Config>
Config read(const recipe::Node& node)
{
    std::vector<recipe::Diagnostic> ignored;
    return catalog::readConfig<Config>(node, ignored);
}

int64_t product(const std::vector<int64_t>& factors, int64_t count)
{
    const auto used = std::min(std::ssize(factors), static_cast<std::ptrdiff_t>(count));
    return std::accumulate(
        factors.begin(), factors.begin() + used, int64_t(1), std::multiplies<>());
}

int64_t poolingOf(const catalog::CrdnnConfig& config)
{
    const int64_t blocks
        = config.using2dPooling ? product(config.interLayerPoolingSize, config.cnnBlocks) : 1;
    return blocks * (config.timePooling ? config.timePoolingSize : 1);
}

} // namespace

std::optional<FrameRate> frameRateOf(const recipe::Node& recipe, int sampleRateHz)
{
    const recipe::NodePtr task = recipe::find(recipe, "task");
    if (task && isParaformer(recipe::asString(*task)))
        return {};
    FrameRate rate;
    rate.hopSamples = std::max(1, sampleRateHz / 100);
    if (const auto features = objectAt(recipe, "compute_features", ".Fbank")) {
        const double hopMs = read<catalog::FbankConfig>(*features).hopLength;
        rate.hopSamples = std::max<int64_t>(1, std::llround(sampleRateHz * hopMs / 1000));
    }
    if (const auto cnn = objectAt(recipe, "CNN", ".ConvolutionFrontEnd")) {
        const auto config = read<catalog::ConvolutionFrontEndConfig>(*cnn);
        rate.stride = std::max<int64_t>(1, product(config.strides, config.numBlocks));
    }
    for (const char* key : { "model", "enc" }) {
        if (const auto encoder = objectAt(recipe, key, ".CRDNN"))
            rate.pooling = std::max<int64_t>(1, poolingOf(read<catalog::CrdnnConfig>(*encoder)));
        if (const auto encoder = objectAt(recipe, key, ".ConvEncoder"))
            rate.stride
                = std::max<int64_t>(1, read<catalog::ConvEncoderConfig>(*encoder).subsampling);
    }
    return rate;
}

} // namespace earwright::data
