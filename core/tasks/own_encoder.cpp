#include "core/tasks/own_encoder.h"

#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/catalog/configs/features.h"
#include "core/catalog/read.h"
#include "core/recipe/value_at.h"
#include "core/settings/adapted_object.h"
#include "core/settings/hub_source.h"
#include "core/settings/layer_keys.h"
#include "core/settings/optimizer_settings.h"
#include "core/settings/own_encoder.h"
#include "core/settings/tree.h"
#include "core/tasks/pretrained.h"

namespace earwright::tasks {

using recipe::Severity;
using settings::OwnEncoder;
using settings::report;

namespace {

/// Upstream makes its optimizer and leaves it out of the steps.
void frozenOwn(const Checked& recipe, const OwnEncoder& own, settings::Diagnostics& found)
{
    if (!recipe::boolAt(recipe.root, own.freeze, false))
        return;
    report(found, Severity::Error, "option-conflict",
        inQuotes(own.freeze) + " must be False: to freeze " + own.name
            + ", write freeze_param: " + own.layers + " and leave out " + inQuotes(own.optimizer),
        settings::findEntry(recipe.root, own.freeze)->key->span);
}

/// SpeechBrain's script runs the one, and Earwright would run the other.
void twoEncodersOfWaves(
    const recipe::Node& root, const std::string& other, settings::Diagnostics& found)
{
    report(found, Severity::Error, "option-conflict",
        inQuotes(other) + " and " + inQuotes(settings::kLatentExtractor)
            + " are both given the waves: leave out one of them",
        settings::findLayerEntry(root, other)->key->span);
}

/// Nothing runs it.
void encoderOfNoLatents(const recipe::Node& root, settings::Diagnostics& found)
{
    const recipe::Entry* entry = settings::findLayerEntry(root, settings::kLatentEncoder);
    const recipe::NodePtr object = entry ? settings::adaptedObject(entry->value) : nullptr;
    const catalog::ClassInfo* info
        = object ? catalog::findClass(recipe::newClass(*object)) : nullptr;
    if (info && info->name == "speechbrain.lobes.models.wav2vec.EncoderWrapper")
        report(found, Severity::Error, "task-missing",
            inQuotes(settings::kLatentEncoder) + " takes latents, and the recipe has no "
                + inQuotes(settings::kLatentExtractor)
                + ", which makes them of the waves: a "
                  "speechbrain.lobes.models.wav2vec.W2VLatentExtractor",
            entry->key->span);
}

/// Of neither script.
void warmupOfOwn(const recipe::Node& root, const OwnEncoder& own, settings::Diagnostics& found)
{
    if (const recipe::Entry* entry = settings::givenEntry(root, "warmup_steps"))
        report(found, Severity::Warning, "no-effect",
            std::string("'warmup_steps' does nothing: ") + own.name
                + " is trained from the first step on, as in SpeechBrain's script",
            entry->key->span);
}

/// The script for BEST-RQ tells its normalisation no epoch.
void normalizationOfOwn(const recipe::Node& root, settings::Diagnostics& found)
{
    const recipe::NodePtr node = settings::inputNormalization(root);
    if (!node || !recipe::newClass(*node).ends_with(".InputNormalization"))
        return;
    settings::Diagnostics saidByOthers;
    const auto config = catalog::readConfig<catalog::InputNormalizationConfig>(*node, saidByOthers);
    const int64_t until = config.updateUntilEpoch.value_or(0);
    const recipe::NodePtr end = recipe::find(*node, "update_until_epoch");
    if (config.normType == "global" && until != 0)
        report(found, Severity::Warning, "differs-from-upstream",
            "the statistics of InputNormalization are learnt until epoch " + std::to_string(until)
                + ", and in all epochs by SpeechBrain's script for BEST-RQ: write "
                  "update_until_epoch: 0",
            end ? end->span : node->span);
}

void wavesOfOwn(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::Entry* extractor
        = settings::findLayerEntry(recipe.root, settings::kLatentExtractor);
    if (!settings::findLayer(recipe.root, settings::kLatentEncoder))
        report(found, Severity::Error, "task-missing",
            inQuotes(settings::kLatentExtractor) + " gives latents, and the recipe has no "
                + inQuotes(settings::kLatentEncoder)
                + ", the encoder of them: a speechbrain.lobes.models.wav2vec.EncoderWrapper",
            extractor->key->span);
    report(found, Severity::Info, "no-effect",
        inQuotes(settings::kLatentExtractor)
            + " is not trained, as in SpeechBrain's script, whose optimizers leave it out",
        extractor->key->span);
    for (const char* key : { "compute_features", "normalize", "normalizer", "mean_var_norm",
             "fea_augment", "augmentation", "CNN", "cnn" })
        if (const recipe::Entry* entry = settings::findLayerEntry(recipe.root, key))
            report(found, Severity::Error, "option-conflict",
                inQuotes(key) + " works on features, and " + inQuotes(settings::kLatentExtractor)
                    + " is given the waves: leave out one of them",
                entry->key->span);
}

} // namespace

void ownEncoderRules(const Checked& recipe, settings::Diagnostics& found)
{
    const OwnEncoder* own = settings::ownEncoder(recipe.root);
    const bool hasLatents = settings::hasLatentExtractor(recipe.root);
    if (!hasLatents)
        encoderOfNoLatents(recipe.root, found);
    if (!own)
        return;
    const settings::PretrainedObject other = settings::pretrainedObject(recipe.root);
    if (hasLatents && other.object) {
        twoEncodersOfWaves(recipe.root, other.key, found);
        return;
    }
    frozenOwn(recipe, *own, found);
    warmupOfOwn(recipe.root, *own, found);
    if (hasLatents)
        wavesOfOwn(recipe, found);
    else
        normalizationOfOwn(recipe.root, found);
    optimizerRules(recipe.root, own->optimizer, found);
    settings::NodeSet ofEncoder
        = settings::reachableFrom(settings::findLayer(recipe.root, own->trained));
    ofEncoder.merge(
        settings::reachableFrom(settings::findLayer(recipe.root, settings::kLatentExtractor)));
    otherLayerRules(recipe.root, ofEncoder, found);
}

const std::vector<settings::KnownKey>& ownEncoderKeys()
{
    static constexpr settings::Reader kReader = kCtcReader;
    static const std::vector<settings::KnownKey> keys = {
        { settings::kLatentExtractor, kReader, "an object, W2VLatentExtractor",
            "SpeechBrain's own wav2vec 2.0: it takes the waves" },
        { settings::kLatentEncoder, kReader, "an object, EncoderWrapper",
            "from its latents to frames" },
        { settings::kBackEnd, kReader, "an object, such as Sequential",
            "from the encoder to the output layer" },
        { "pt_model", settings::kOptimizerReader, "a ModuleList",
            "the layers that BEST-RQ pretrained" },
        { "pt_model_path", kTrainerReader, "a folder",
            "null: 'pretrainer' loads no layers (its paths refer to this)" },
        { "bestrq_opt_class", settings::kOptimizerReader, "a !name: of an optimizer",
            "the optimizer of 'pt_model'" },
        { "lr_annealing_bestrq", settings::kScheduleReader, "an object, such as NewBobScheduler",
            "changes the learning rate of 'pt_model'" },
        { "freeze_bestrq", settings::kCheckReader, "True or False",
            "must be False: freeze_param freezes" },
    };
    return keys;
}

} // namespace earwright::tasks
