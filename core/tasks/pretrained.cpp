#include "core/tasks/pretrained.h"

#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/recipe/value_at.h"
#include "core/settings/adapted_object.h"
#include "core/settings/hub_source.h"
#include "core/settings/layer_keys.h"
#include "core/settings/optimizer_settings.h"
#include "core/settings/tree.h"

namespace earwright::tasks {

using recipe::Severity;
using settings::report;

namespace {

using settings::PretrainedObject;

constexpr const char* kFreeze = "freeze_wav2vec";
constexpr const char* kFreezeWhisper = "freeze_whisper";

bool isOfWhisper(const PretrainedObject& encoder)
{
    return encoder.key == settings::kWhisper;
}

const recipe::Entry* givenEntry(const recipe::Node& recipe, const char* key)
{
    const recipe::Entry* entry = settings::findEntry(recipe, key);
    return entry && !recipe::isNull(*entry->value) ? entry : nullptr;
}

void ofLayers(const PretrainedObject& encoder, settings::Diagnostics& found)
{
    const recipe::NodePtr all = recipe::find(*encoder.object, "output_all_hiddens");
    if (all && recipe::asBool(*all).value_or(false))
        report(found, Severity::Error, "argument-range",
            "'output_all_hiddens' of " + inQuotes(encoder.key)
                + " must be False: the layers behind it take the frames of its last layer",
            all->span);
}

/// Upstream's scripts ask either the key or the object whether its optimizer takes steps.
void ofFreezing(
    const recipe::Node& root, const PretrainedObject& encoder, settings::Diagnostics& found)
{
    const std::string key = isOfWhisper(encoder) ? kFreezeWhisper : kFreeze;
    const recipe::Entry* entry = givenEntry(root, key.c_str());
    const auto asked = entry ? recipe::asBool(*entry->value) : std::nullopt;
    const bool isFrozen = settings::isFrozenEncoder(*encoder.object);
    if (asked && *asked != isFrozen)
        report(found, Severity::Error, "option-conflict",
            inQuotes(key) + " is " + (*asked ? "True" : "False") + ", and 'freeze' of "
                + inQuotes(encoder.key) + " is " + (isFrozen ? "True" : "False")
                + ": write freeze: !ref <" + key + ">",
            entry->key->span);
}

void ofOptimizer(
    const recipe::Node& root, const PretrainedObject& encoder, settings::Diagnostics& found)
{
    const settings::OptimizerSettings settings = settings::optimizerSettings(root);
    const Names& optimizers = settings::encoderOptimizerKeys();
    const recipe::Entry* schedule = nullptr;
    for (const std::string& key : settings::encoderScheduleKeys())
        schedule = schedule ? schedule : givenEntry(root, key.c_str());
    if (schedule && !settings.ofEncoder && !settings::isFrozenEncoder(*encoder.object)
        && settings.schedule != schedule->value)
        report(found, Severity::Warning, "no-effect",
            inQuotes(schedule->key->text) + " changes no learning rate without "
                + inQuotes(isOfWhisper(encoder) ? optimizers.back() : optimizers.front())
                + ", the optimizer of the pretrained encoder",
            schedule->key->span);
    if (!settings.ofEncoder)
        return;
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

/// Upstream's scripts give the optimizer of the other layers those of `model` alone.
void ofOthers(const recipe::Node& root, const recipe::Node& encoder, settings::Diagnostics& found)
{
    const recipe::NodePtr model = recipe::find(root, "model");
    const recipe::NodePtr modules = recipe::find(root, "modules");
    if (!model || !settings::isLayerList(*model) || !modules)
        return;
    const settings::NodeSet listed = settings::reachableFrom(model);
    for (const recipe::Entry& entry : modules->entries) {
        const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(*entry.value));
        if (settings::adaptedObject(entry.value).get() == &encoder || !info || !info->ownsParameters
            || listed.contains(entry.value.get()))
            continue;
        report(found, Severity::Warning, "differs-from-upstream",
            inQuotes(entry.key->text)
                + " is trained, as all of 'modules' is; SpeechBrain's script trains of the layers "
                  "beside the pretrained encoder those of 'model' alone, which has it not: add it "
                  "there",
            entry.key->span);
    }
}

/// Upstream's one script that averages does so with `model`.
void ofAverage(const recipe::Node& root, const recipe::Node& encoder, settings::Diagnostics& found)
{
    const recipe::Entry* entry = givenEntry(root, "avg_checkpoints");
    if (entry && recipe::asInt(*entry->value).value_or(1) > 1
        && !settings::isFrozenEncoder(encoder))
        report(found, Severity::Info, "differs-from-upstream",
            "the test takes the mean of the pretrained encoder's weights too, where SpeechBrain's "
            "script takes the newest ones",
            entry->key->span);
}

} // namespace

/// Upstream's scripts give the model the wave, whatever features the recipe has.
void featureRules(const Checked& recipe, settings::Diagnostics& found)
{
    const PretrainedObject pretrained = settings::pretrainedObject(recipe.root);
    const bool isWhole = settings::whisperModel(recipe.root) != nullptr;
    for (const char* key : { "compute_features", "normalize", "normalizer", "mean_var_norm",
             "fea_augment", "augmentation" })
        if (const recipe::Entry* entry = givenEntry(recipe.root, key))
            report(found, Severity::Error, "option-conflict",
                inQuotes(key) + " works on features, and the pretrained "
                    + (isWhole ? "model " : "encoder ") + inQuotes(pretrained.key)
                    + " is given the waves: leave out one of them",
                entry->key->span);
}

void pretrainedRules(const Checked& recipe, settings::Diagnostics& found)
{
    const PretrainedObject encoder = settings::pretrainedObject(recipe.root);
    if (!settings::pretrainedEncoder(recipe.root))
        return;
    featureRules(recipe, found);
    ofLayers(encoder, found);
    ofFreezing(recipe.root, encoder, found);
    ofOptimizer(recipe.root, encoder, found);
    ofOthers(recipe.root, *encoder.object, found);
    ofAverage(recipe.root, *encoder.object, found);
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
        { "noam_annealing_wav2vect", "train::Schedule" },
        { "warmup_steps", kOptimizer, "a whole number",
            "steps before the pretrained encoder's optimizer begins" },
        { kFreeze, "check", "True or False", "must be the same as 'freeze' of 'wav2vec2'" },
        { settings::kWhisper, "train::SpeechTask", "an object, Whisper",
            "a pretrained model: of CTC its encoder (encoder_only: True)" },
        { "whisper_opt_class", kOptimizer, "a !name: of an optimizer", "the optimizer of Whisper" },
        { "lr_annealing_whisper", "train::Schedule", "an object, such as NoamScheduler",
            "changes the learning rate of Whisper" },
        { kFreezeWhisper, "check", "True or False", "must be the same as 'freeze' of 'whisper'" },
    };
    return keys;
}

} // namespace earwright::tasks
