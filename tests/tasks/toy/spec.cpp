#include "core/tasks/spec.h"
#include "core/catalog/argument_value.h"
#include "core/recipe/value_at.h"
#include "core/settings/layer_keys.h"

namespace earwright::tasks::toy {

namespace {

constexpr settings::Reader kReader { "toy::ToyTask" };

constexpr settings::KnownKey kKeys[] = {
    { "toy_front", kReader, "an object, Fbank", "from waveforms to features" },
    { "toy_head", kReader, "an object, Linear", "from features to the tokens" },
    { "toy_gain", kReader, "a number above 0", "what scores are multiplied by" },
    { "toy_blank", kReader, "a whole number", "the token that stands for none" },
};

void gain(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::NodePtr gain = recipe::find(recipe.root, "toy_gain");
    if (gain && recipe::asDouble(*gain).value_or(0) <= 0)
        settings::report(found, recipe::Severity::Error, "argument-range",
            "toy_gain must be a number above 0, not " + catalog::describe(*gain), gain->span);
}

std::string signs(const recipe::Node& root)
{
    return settings::findLayer(root, "toy_head") ? "'toy_head'" : "";
}

settings::SpecialLabels specialLabels(const recipe::Node& root)
{
    return { .blank = recipe::intAt(root, "toy_blank", 0), .blankKey = "toy_blank" };
}

Names classPaths(const recipe::Node& root)
{
    return { settings::layerPath(root, "toy_head") + ".n_neurons" };
}

std::optional<settings::FrameRate> frameRate(const recipe::Node&, int sampleRateHz)
{
    return settings::FrameRate { .hopSamples = sampleRateHz / 100 };
}

} // namespace

Spec spec()
{
    return { .name = "toy",
        .needed = { { { "toy_front" }, "the features" }, { { "toy_head" }, "the output layer" },
            { { "label_encoder" }, "the text encoder" } },
        .built = { "toy_front", "toy_head" },
        .layerKeys = { "toy_front", "normalize", "toy_head" },
        .flows = { { { "normalize" }, { { "toy_front" } } },
            { { "toy_head" }, { { "normalize" }, { "toy_front" } } } },
        .keys = { std::begin(kKeys), std::end(kKeys) },
        .ownKeys = { "toy_gain" },
        .rules = { gain },
        .carriesRows = false,
        .signs = signs,
        .specialLabels = specialLabels,
        .classPaths = classPaths,
        .frameRate = frameRate };
}

} // namespace earwright::tasks::toy
