#include "core/settings/optimizer_settings.h"

namespace earwright::settings {

namespace {

std::optional<SecondStage> secondStage(const recipe::Node& recipe)
{
    const recipe::NodePtr optimizer = firstOf(recipe, { "SGD" });
    const recipe::NodePtr epochs = recipe::find(recipe, "stage_one_epochs");
    const auto afterEpochs = epochs ? recipe::asInt(*epochs) : std::nullopt;
    if (!optimizer || !afterEpochs)
        return std::nullopt;
    return SecondStage { .optimizer = optimizer, .afterEpochs = *afterEpochs };
}

} // namespace

const Names& optimizerKeys()
{
    static const Names keys { "opt_class", "model_opt_class", "Adam" };
    return keys;
}

const Names& scheduleKeys()
{
    static const Names keys { "lr_annealing", "noam_annealing", "lr_annealing_model" };
    return keys;
}

recipe::NodePtr firstOf(const recipe::Node& recipe, const Names& keys)
{
    for (const std::string& key : keys)
        if (const recipe::NodePtr node = recipe::find(recipe, key); node && !recipe::isNull(*node))
            return node;
    return nullptr;
}

OptimizerSettings optimizerSettings(const recipe::Node& recipe)
{
    return { .optimizer = firstOf(recipe, optimizerKeys()),
        .schedule = firstOf(recipe, scheduleKeys()),
        .second = secondStage(recipe) };
}

} // namespace earwright::settings
