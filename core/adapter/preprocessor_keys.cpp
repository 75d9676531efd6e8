#include "core/adapter/preprocessor_keys.h"

#include "core/base/text.h"

#include <cmath>

namespace earwright::adapter {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr const char* kSpeedClass = "SpeechPreprocessSpeedPerturb";
constexpr double kPercent = 100;
constexpr double kStepsOfOne = 1000; ///< speeds are resampled in steps of 0.001

/// Null where it is no list of speeds.
NodePtr percentsOf(const Node& factors)
{
    const NodePtr percents = std::make_shared<Node>();
    percents->kind = recipe::Kind::Sequence;
    for (const NodePtr& item : factors.items) {
        const double steps = recipe::asDouble(*item).value_or(0) * kStepsOfOne;
        if (!(steps >= 1) || std::abs(steps - std::round(steps)) > 1e-6)
            return nullptr;
        percents->items.push_back(
            recipe::makeScalar(formatNumber(std::round(steps) * kPercent / kStepsOfOne)));
    }
    return percents->items.empty() ? nullptr : percents;
}

void writeSpeeds(const Entry& setting, const Node& factors, int64_t rateHz, RecipeText& recipe)
{
    const NodePtr percents = percentsOf(factors);
    if (!percents)
        return recipe.fail(setting,
            "'speed_perturb' of 'preprocessor_speech_conf' must be a list of speeds in steps of "
            "0.001, such as [0.9, 1.0, 1.1]");
    const NodePtr object = emptyMapping();
    object->tag = "!new:speechbrain.augment.time_domain.SpeedPerturb";
    object->entries
        = { { recipe::makeScalar("orig_freq"), recipe::makeScalar(std::to_string(rateHz)) },
              { recipe::makeScalar("speeds"), percents } };
    recipe.put("speed_perturb", object,
        recipe.placeOf(setting) + ", " + kSpeedClass + ": its resampler is SoX's, here another");
    recipe.put("do_speed_perturb", recipe::makeScalar("True"), "");
}

void writeSpeech(const Entry& setting, const Node& section, int64_t rateHz, RecipeText& recipe)
{
    if (setting.value->text != kSpeedClass)
        return recipe.refuse(setting,
            std::string("'preprocessor_speech' of 'dataset_conf' is not obeyed: write ")
                + kSpeedClass + " or null");
    const NodePtr factors = recipe::findPath(section, "preprocessor_speech_conf.speed_perturb");
    if (factors && !recipe::isNull(*factors)) // FunASR changes no speed without
        writeSpeeds(setting, *factors, rateHz, recipe);
}

bool isGiven(const Node& section, const char* key)
{
    const NodePtr value = recipe::find(section, key);
    return value && !recipe::isNull(*value) && !value->text.empty();
}

} // namespace

bool writePreprocessor(
    const Entry& setting, const Node& section, int64_t rateHz, RecipeText& recipe)
{
    const std::string& name = setting.key->text;
    for (const char* preprocessor : { "preprocessor_speech", "preprocessor_text" })
        if (name == std::string(preprocessor) + "_conf") {
            if (!isGiven(section, preprocessor))
                recipe.leaveOut(setting,
                    inQuotes(name) + " of 'dataset_conf' has no effect without "
                        + inQuotes(preprocessor));
            return true;
        }
    if (name == "preprocessor_speech" && isGiven(section, "preprocessor_speech"))
        writeSpeech(setting, section, rateHz, recipe);
    if (name == "preprocessor_text" && isGiven(section, "preprocessor_text"))
        recipe.refuse(setting,
            "'preprocessor_text' of 'dataset_conf' is not obeyed: write the lists' texts as they "
            "are to be learnt");
    return name == "preprocessor_speech" || name == "preprocessor_text";
}

} // namespace earwright::adapter
