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
using settings::givenEntry;
using settings::report;

namespace {

using settings::PretrainedObject;

constexpr const char* kFreeze = "freeze_wav2vec";
constexpr const char* kFreezeWhisper = "freeze_whisper";

bool isOfWhisper(const PretrainedObject& encoder)
{
    return encoder.key == settings::kWhisper;
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

/// Whether a layer holds parameters that neither the encoder nor `model` has.
bool isTrainedBeside(const recipe::NodePtr& layer, const settings::NodeSet& known)
{
    bool isTrained = false;
    settings::walk(layer, [&](const recipe::NodePtr& node) {
        const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(*node));
        if (known.contains(node.get()) || (info && !settings::isLayer(*info)))
            return false;
        isTrained = isTrained || (info && settings::ownsParameters(*node));
        return !isTrained;
    });
    return isTrained;
}

} // namespace

void optimizerRules(
    const recipe::Node& root, const std::string& optimizer, settings::Diagnostics& found)
{
    const settings::OptimizerSettings settings = settings::optimizerSettings(root);
    const recipe::Entry* schedule = nullptr;
    for (const std::string& key : settings::encoderScheduleKeys())
        schedule = schedule ? schedule : givenEntry(root, key.c_str());
    if (schedule && !settings.ofEncoder && !optimizer.empty()
        && settings.schedule != schedule->value)
        report(found, Severity::Warning, "no-effect",
            inQuotes(schedule->key->text) + " changes no learning rate without "
                + inQuotes(optimizer) + ", the optimizer of the pretrained encoder",
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
void otherLayerRules(
    const recipe::Node& root, const settings::NodeSet& ofEncoder, settings::Diagnostics& found)
{
    const recipe::NodePtr model = recipe::find(root, "model");
    const recipe::NodePtr modules = recipe::find(root, "modules");
    if (!model || !settings::isLayerList(*model) || !modules)
        return;
    settings::NodeSet known = settings::reachableFrom(model);
    known.insert(ofEncoder.begin(), ofEncoder.end());
    for (const recipe::Entry& entry : modules->entries)
        if (isTrainedBeside(entry.value, known))
            report(found, Severity::Warning, "differs-from-upstream",
                inQuotes(entry.key->text)
                    + " is trained, as all of 'modules' is; SpeechBrain's script trains of the "
                      "layers beside the pretrained encoder those of 'model' alone, which has it "
                      "not: add it there",
                entry.key->span);
}

bool augmentsFramesOf(const recipe::Node& root)
{
    const recipe::NodePtr task = recipe::find(root, "task");
    return task && settings::plainText(task) == "ctc" && settings::pretrainedEncoder(root)
        && !isOfWhisper(settings::pretrainedObject(root));
}

namespace {

/// The one script that does has BERT's tokenizer.
void ofAugmentedFrames(const recipe::Node& root, settings::Diagnostics& found)
{
    const recipe::Entry* entry = givenEntry(root, "fea_augment");
    const recipe::NodePtr tokenizer = recipe::find(root, "tokenizer");
    if (entry && !(tokenizer && catalog::classOf(*tokenizer) == settings::kBertTokenizer))
        report(found, Severity::Info, "differs-from-upstream",
            "'fea_augment' changes the frames of 'wav2vec2', as in SpeechBrain's script for "
            "AISHELL-1; its other scripts do nothing with it",
            entry->key->span);
}

} // namespace

/// Upstream's scripts give the model the wave, whatever features the recipe has. One of CTC
/// augments the frames that an encoder makes of it.
void featureRules(const Checked& recipe, settings::Diagnostics& found)
{
    const PretrainedObject pretrained = settings::pretrainedObject(recipe.root);
    const bool isWhole = settings::whisperModel(recipe.root) != nullptr;
    const bool augmentsFrames = augmentsFramesOf(recipe.root);
    Names keys { "compute_features", "normalize", "normalizer", "mean_var_norm", "augmentation" };
    if (augmentsFrames)
        ofAugmentedFrames(recipe.root, found);
    else
        keys.emplace_back("fea_augment");
    for (const std::string& key : keys)
        if (const recipe::Entry* entry = givenEntry(recipe.root, key.c_str()))
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
    const Names& optimizers = settings::encoderOptimizerKeys();
    const bool isFrozen = settings::isFrozenEncoder(*encoder.object);
    optimizerRules(recipe.root,
        isFrozen                   ? ""
            : isOfWhisper(encoder) ? optimizers.back()
                                   : optimizers.front(),
        found);
    otherLayerRules(
        recipe.root, settings::reachableFrom(settings::findLayer(recipe.root, encoder.key)), found);
    ofAverage(recipe.root, *encoder.object, found);
}

const std::vector<settings::KnownKey>& pretrainedKeys()
{
    static constexpr settings::Reader kOptimizer = settings::kOptimizerReader;
    static const std::vector<settings::KnownKey> keys = {
        { settings::kPretrainedEncoder, kSpeechReader, "an object, such as Wav2Vec2",
            "a pretrained encoder: it takes the waves, and no features are computed" },
        { "wav2vec_opt_class", kOptimizer, "a !name: of an optimizer",
            "the optimizer of the pretrained encoder" },
        { "opt_class_wav2vec", kOptimizer },
        { "lr_annealing_wav2vec", settings::kScheduleReader, "an object, such as NewBobScheduler",
            "changes the learning rate of the pretrained encoder" },
        { "noam_annealing_wav2vect", settings::kScheduleReader },
        { "warmup_steps", kOptimizer, "a whole number",
            "steps before the pretrained encoder's optimizer begins" },
        { kFreeze, settings::kCheckReader, "True or False",
            "must be the same as 'freeze' of 'wav2vec2'" },
        { settings::kWhisper, kSpeechReader, "an object, Whisper",
            "a pretrained model: of CTC its encoder (encoder_only: True)" },
        { "whisper_opt_class", kOptimizer, "a !name: of an optimizer", "the optimizer of Whisper" },
        { "lr_annealing_whisper", settings::kScheduleReader, "an object, such as NoamScheduler",
            "changes the learning rate of Whisper" },
        { kFreezeWhisper, settings::kCheckReader, "True or False",
            "must be the same as 'freeze' of 'whisper'" },
    };
    return keys;
}

} // namespace earwright::tasks
