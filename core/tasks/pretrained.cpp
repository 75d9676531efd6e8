#include "core/tasks/pretrained.h"

#include "core/base/text.h"
#include "core/recipe/value_at.h"
#include "core/settings/hub_source.h"
#include "core/settings/optimizer_settings.h"
#include "core/settings/tree.h"

namespace earwright::tasks {

using recipe::Severity;
using settings::report;

namespace {

constexpr const char* kFreeze = "freeze_wav2vec";

const recipe::Entry* givenEntry(const recipe::Node& recipe, const char* key)
{
    const recipe::Entry* entry = settings::findEntry(recipe, key);
    return entry && !recipe::isNull(*entry->value) ? entry : nullptr;
}

/// Upstream's scripts give the encoder the wave, whatever features the recipe has.
void ofFeatures(const recipe::Node& root, settings::Diagnostics& found)
{
    for (const char* key : { "compute_features", "normalize", "normalizer", "mean_var_norm",
             "fea_augment", "augmentation" })
        if (const recipe::Entry* entry = givenEntry(root, key))
            report(found, Severity::Error, "option-conflict",
                inQuotes(key)
                    + " works on features, and the pretrained encoder 'wav2vec2' is given "
                      "the waves: leave out one of them",
                entry->key->span);
}

void ofLayers(const recipe::Node& encoder, settings::Diagnostics& found)
{
    const recipe::NodePtr all = recipe::find(encoder, "output_all_hiddens");
    if (all && recipe::asBool(*all).value_or(false))
        report(found, Severity::Error, "argument-range",
            "'output_all_hiddens' of 'wav2vec2' must be False: the layers behind it take the "
            "frames of its last layer",
            all->span);
}

/// Upstream's scripts ask either the key or the object whether its optimizer takes steps.
void ofFreezing(const recipe::Node& root, const recipe::Node& encoder, settings::Diagnostics& found)
{
    const recipe::Entry* entry = givenEntry(root, kFreeze);
    const auto asked = entry ? recipe::asBool(*entry->value) : std::nullopt;
    const bool isFrozen = settings::isFrozenEncoder(encoder);
    if (asked && *asked != isFrozen)
        report(found, Severity::Error, "option-conflict",
            std::string("'freeze_wav2vec' is ") + (*asked ? "True" : "False")
                + ", and 'freeze' of 'wav2vec2' is " + (isFrozen ? "True" : "False")
                + ": write freeze: !ref <freeze_wav2vec>",
            entry->key->span);
}

void ofOptimizer(
    const recipe::Node& root, const recipe::Node& encoder, settings::Diagnostics& found)
{
    const settings::OptimizerSettings settings = settings::optimizerSettings(root);
    const recipe::Entry* schedule = nullptr;
    for (const std::string& key : settings::encoderScheduleKeys())
        schedule = schedule ? schedule : givenEntry(root, key.c_str());
    if (schedule && !settings.ofEncoder && !settings::isFrozenEncoder(encoder))
        report(found, Severity::Warning, "no-effect",
            inQuotes(schedule->key->text) + " changes no learning rate without "
                + inQuotes(settings::encoderOptimizerKeys().front())
                + ", the optimizer of the pretrained encoder",
            schedule->key->span);
    if (!settings.ofEncoder)
        return;
    if (settings.second)
        report(found, Severity::Error, "option-conflict",
            "'stage_one_epochs' begins a second stage, which a recipe with an optimizer of the "
            "pretrained encoder cannot have: leave out one of them",
            settings.second->optimizer->span);
    if (const recipe::Entry* groups = givenEntry(root, "optim_param_groups"))
        report(found, Severity::Error, "option-conflict",
            "'optim_param_groups' divides the parameters of one optimizer, and the pretrained "
            "encoder has its own: leave out one of them",
            groups->key->span);
    const int64_t steps = settings.ofEncoder->warmupSteps;
    if (const recipe::Entry* warmup = givenEntry(root, "warmup_steps"); warmup && steps > 0)
        report(found, Severity::Info, "differs-from-upstream",
            "the pretrained encoder learns from step " + std::to_string(steps + 1)
                + " on, as in SpeechBrain, which gives its first step the gradients of all steps "
                  "before it as well",
            warmup->key->span);
}

} // namespace

void pretrainedRules(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::NodePtr encoder = settings::pretrainedEncoder(recipe.root);
    if (!encoder)
        return;
    ofFeatures(recipe.root, found);
    ofLayers(*encoder, found);
    ofFreezing(recipe.root, *encoder, found);
    ofOptimizer(recipe.root, *encoder, found);
}

const std::vector<settings::KnownKey>& pretrainedKeys()
{
    static constexpr const char* kOptimizer = "train::Optimizer";
    static const std::vector<settings::KnownKey> keys = {
        { settings::kPretrainedEncoder, "train::SpeechTask", "an object, such as Wav2Vec2",
            "a pretrained encoder: it takes the waves, and no features are computed" },
        { "wav2vec_opt_class", kOptimizer, "a !name: of an optimizer",
            "the optimizer of the pretrained encoder" },
        { "lr_annealing_wav2vec", "train::Schedule", "an object, such as NewBobScheduler",
            "changes the learning rate of the pretrained encoder" },
        { "warmup_steps", kOptimizer, "a whole number",
            "steps before the pretrained encoder's optimizer begins" },
        { kFreeze, "check", "True or False", "must be the same as 'freeze' of 'wav2vec2'" },
    };
    return keys;
}

} // namespace earwright::tasks
