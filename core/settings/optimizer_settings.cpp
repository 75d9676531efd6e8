#include "core/settings/optimizer_settings.h"

#include "core/recipe/value_at.h"
#include "core/settings/hub_source.h"
#include "core/settings/own_encoder.h"

#include <algorithm>

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

constexpr const char* kOfWhisper = "whisper_opt_class";
constexpr const char* kScheduleOfWhisper = "lr_annealing_whisper";

/// Without another optimizer it trains all there is.
bool isWhispersAlone(const recipe::Node& recipe)
{
    const recipe::NodePtr optimizer = firstOf(recipe, optimizerKeys());
    return optimizer && optimizer == firstOf(recipe, { kOfWhisper });
}

std::optional<EncoderOptimizer> ofEncoder(const recipe::Node& recipe)
{
    const recipe::NodePtr optimizer = firstOf(recipe, encoderOptimizerKeys());
    const OwnEncoder* own = ownEncoder(recipe);
    const PretrainedObject pretrained = pretrainedObject(recipe);
    const bool isLearning = own
        || (pretrainedEncoder(recipe)
            && (!isFrozenEncoder(*pretrained.object) || pretrained.isAdapted));
    if (!optimizer || isWhispersAlone(recipe) || !isLearning)
        return std::nullopt;
    return EncoderOptimizer { .optimizer = optimizer,
        .schedule = firstOf(recipe, encoderScheduleKeys()),
        .layers = own ? Names { own->trained } : pretrainedKeys(),
        .warmupSteps = own ? 0 : std::max<int64_t>(0, recipe::intAt(recipe, "warmup_steps", 0)) };
}

} // namespace

const Names& optimizerKeys()
{
    static const Names keys { "opt_class", "model_opt_class", "Adam", kOfWhisper };
    return keys;
}

const Names& scheduleKeys()
{
    static const Names keys { "lr_annealing", "noam_annealing", "lr_annealing_model",
        kScheduleOfWhisper };
    return keys;
}

const Names& encoderOptimizerKeys()
{
    static const Names keys { "wav2vec_opt_class", "opt_class_wav2vec", "bestrq_opt_class",
        kOfWhisper };
    return keys;
}

const Names& encoderScheduleKeys()
{
    static const Names keys { "lr_annealing_wav2vec", "noam_annealing_wav2vect",
        "lr_annealing_bestrq", kScheduleOfWhisper };
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
    Names schedules = scheduleKeys();
    if (!isWhispersAlone(recipe))
        std::erase(schedules, kScheduleOfWhisper);
    return { .optimizer = firstOf(recipe, optimizerKeys()),
        .schedule = firstOf(recipe, schedules),
        .second = secondStage(recipe),
        .ofEncoder = ofEncoder(recipe) };
}

} // namespace earwright::settings
