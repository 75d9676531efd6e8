#include "core/settings/augmentations.h"

#include "core/catalog/argument_value.h"
#include "core/catalog/configs/augment/augmenter.h"
#include "core/catalog/configs/augment/noise.h"
#include "core/catalog/configs/augment/reverb.h"
#include "core/catalog/configs/augment/warping.h"
#include "core/catalog/read.h"
#include "core/settings/own_encoder.h"
#include "core/settings/report.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <functional>

namespace earwright::settings {

using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr std::string_view kAugmenter = "speechbrain.augment.augmenter.Augmenter";
constexpr std::string_view kTime = "speechbrain.augment.time_domain.";
constexpr std::string_view kFrequency = "speechbrain.augment.freq_domain.";

template <class Config>
Config read(const Node& object)
{
    Diagnostics saidByOthers;
    return catalog::readConfig<Config>(object, saidByOthers);
}

/// The catalogue's entry of an object that can be built, else null.
const catalog::ClassInfo* builtClass(const Node& object)
{
    const catalog::ClassInfo* info = catalog::findClass(recipe::newClass(object));
    return info && info->trainable ? info : nullptr;
}

/// "DropChunk" of an augmentation of waves or features, "" for anything else.
std::string augmentationOf(const Node& object, std::string_view domain)
{
    const catalog::ClassInfo* info = builtClass(object);
    return info && info->name.starts_with(domain) ? info->name.substr(domain.size()) : "";
}

bool isAugmenter(const Node& object)
{
    const catalog::ClassInfo* info = builtClass(object);
    return info && info->name == kAugmenter;
}

recipe::Diagnostic& refuse(
    Diagnostics& found, const Node& object, const char* argument, std::string message)
{
    const NodePtr value = recipe::find(object, argument);
    return report(found, recipe::Severity::Error, "augmentation", std::move(message),
        value ? value->span : object.span);
}

/// A place in a list that is gone through in turn would be in no checkpoint.
template <class Config>
void listInTurn(const Node& object, const Config& config, Diagnostics& found)
{
    if (config.sorting == "random")
        return;
    auto& diagnostic = refuse(found, object, "sorting",
        "'sorting: " + config.sorting + "' of " + catalog::lastPart(recipe::newClass(object))
            + " is not supported: the place in the list would be lost in a resumed run; use "
              "random");
    if (const NodePtr sorting = recipe::find(object, "sorting"))
        diagnostic.fix = catalog::replaceWith(*sorting, "random");
}

void noise(const Node& object, Diagnostics& found)
{
    const auto config = read<catalog::AddNoiseConfig>(object);
    if (config.csvFile)
        listInTurn(object, config, found);
    const NodePtr keys = config.csvKeys;
    if (keys && !recipe::isNull(*keys)
        && (keys->items.size() != 1 || plainText(keys->items.front()) != "wav"))
        refuse(found, object, "csv_keys",
            "'csv_keys' of AddNoise is not supported: the sounds are those of the column 'wav'; "
            "leave it out");
    if (config.noiseFunct && !recipe::isNull(*config.noiseFunct)
        && catalog::classOf(*config.noiseFunct) != "torch.randn_like")
        refuse(found, object, "noise_funct",
            "'noise_funct' of AddNoise is not supported: leave it out for Gaussian noise, or give "
            "a csv_file of noises");
}

void ofWaves(const Node& object, const std::string& name, Diagnostics& found)
{
    if (name == "AddNoise")
        noise(object, found);
    if (name == "AddReverb")
        listInTurn(object, read<catalog::AddReverbConfig>(object), found);
    if (name == "FastDropChunk")
        refuse(found, object, "",
            "FastDropChunk needs batches of one length, and a resumed run would draw other masks; "
            "use DropChunk");
}

/// The argument by which an Augmenter gives other rows than it is given, "" where none does.
const char* changeOfRows(const catalog::AugmenterConfig& config)
{
    if (config.parallelAugment && !config.parallelAugmentFixedBs)
        return "parallel_augment";
    if (config.concatOriginal)
        return "concat_original";
    if (config.repeatAugment > 1)
        return "repeat_augment";
    if (config.augmentStartIndex > 0)
        return "augment_start_index";
    return config.augmentEndIndex ? "augment_end_index" : "";
}

/// What needs a task that follows rows and lengths. `drawn`: the speed that is drawn while reading.
void ofFixedRows(
    const Node& object, const AugmentationUse& use, const Node* drawn, Diagnostics& found)
{
    const std::string why
        = std::string(", and ") + use.fixedTargets + " keep to the batch as it was read";
    if (isAugmenter(object)) {
        const char* const what = changeOfRows(read<catalog::AugmenterConfig>(object));
        if (*what)
            refuse(found, object, what,
                "'" + std::string(what)
                    + "' of Augmenter is not supported here: it changes the rows of a batch" + why
                    + "; leave it out");
    }
    if (isSpeedPerturb(object) && &object != drawn)
        refuse(found, object, "",
            std::string("SpeedPerturb is supported here only as the first augmentation and always "
                        "applied (no shuffle_augmentations, no parallel_augment, augment_prob 1): "
                        "behind others it changes the lengths of a batch")
                + why);
    if (augmentationOf(object, kFrequency) == "RandomShift"
        && read<catalog::RandomShiftConfig>(object).dim == 1)
        refuse(found, object, "dim",
            std::string("RandomShift along time is not supported here: it changes the lengths")
                + why + "; use dim: 2");
}

void otherDomain(const Node& object, const AugmentationUse& use, Diagnostics& found)
{
    const bool isElsewhere = !augmentationOf(object, use.isOfWaves ? kFrequency : kTime).empty();
    const std::string name = catalog::lastPart(recipe::newClass(object));
    refuse(found, object, "",
        name + " is not an augmentation of " + (use.isOfWaves ? "waves" : "features")
            + (isElsewhere ? std::string("; it belongs under '")
                        + (use.isOfWaves ? "fea_augment" : "wav_augment") + "'"
                           : ""));
}

void refusals(const Node& object, const AugmentationUse& use, const Node* drawn, Diagnostics& found)
{
    if (!use.carriesRows)
        ofFixedRows(object, use, drawn, found);
    if (isAugmenter(object))
        return;
    const std::string name = augmentationOf(object, use.isOfWaves ? kTime : kFrequency);
    if (name.empty())
        otherDomain(object, use, found);
    else if (use.isOfWaves)
        ofWaves(object, name, found);
}

/// The object and, of Augmenters, all that they apply; of classes that can be built.
void eachBuilt(const Node& object, const std::function<void(const Node&)>& visit)
{
    if (!builtClass(object))
        return;
    visit(object);
    if (!isAugmenter(object))
        return;
    for (const NodePtr& part : enabledParts(object))
        eachBuilt(*part, visit);
}

} // namespace

std::vector<recipe::Diagnostic> refusalsOf(const Node& object, const AugmentationUse& use)
{
    Diagnostics found;
    const NodePtr drawn = use.drawsSpeedsWhileReading ? perUtteranceSpeed(object) : nullptr;
    const Node* const drawnHere = drawn && isSpeedPerturb(object) ? &object : drawn.get();
    eachBuilt(object, [&](const Node& part) { refusals(part, use, drawnHere, found); });
    return found;
}

bool isSpeedPerturb(const Node& object)
{
    return augmentationOf(object, kTime) == "SpeedPerturb";
}

std::vector<NodePtr> enabledParts(const Node& augmenter)
{
    const auto config = read<catalog::AugmenterConfig>(augmenter);
    std::vector<NodePtr> parts;
    for (size_t i = 0; config.augmentations && i < config.augmentations->items.size(); ++i) {
        const bool isOff = config.enableAugmentations && i < config.enableAugmentations->size()
            && !(*config.enableAugmentations)[i];
        if (!isOff)
            parts.push_back(config.augmentations->items[i]);
    }
    return parts;
}

namespace {

/// Whether another key of the recipe leads to it, as an Augmenter that lists it does.
bool isHeldBesides(const Node& recipe, const Node& object)
{
    return std::any_of(recipe.entries.begin(), recipe.entries.end(), [&](const auto& entry) {
        return entry.key->text != "speed_perturb" && reachableFrom(entry.value).contains(&object);
    });
}

bool gives(const Node& recipe, const char* key)
{
    const NodePtr value = recipe::find(recipe, key);
    return value && !recipe::isNull(*value);
}

} // namespace

ReadingSpeed speedWhileReading(const Node& recipe)
{
    const NodePtr perturb = recipe::find(recipe, "speed_perturb");
    if (!perturb || !isSpeedPerturb(*perturb))
        return {};
    const NodePtr asked = recipe::find(recipe, "do_speed_perturb");
    if (const auto isAsked = asked ? recipe::asBool(*asked) : std::nullopt)
        return { *isAsked ? perturb : nullptr,
            std::string("'do_speed_perturb' is ") + (*isAsked ? "True" : "False") };
    if (isHeldBesides(recipe, *perturb)) {
        if (!ownEncoder(recipe) && gives(recipe, "dynamic_batch_sampler_val"))
            return { perturb,
                "the script of recipes with 'dynamic_batch_sampler_val' runs it on each utterance "
                "that it reads, and once more where 'wav_augment' lists it" };
        return {};
    }
    if (const OwnEncoder* own = ownEncoder(recipe))
        return { nullptr,
            std::string("SpeechBrain's script for ") + own->name + " does not run it" };
    for (const char* key : { "hf_download_folder", "wav2vec2" })
        if (gives(recipe, key))
            return { nullptr,
                std::string("SpeechBrain's script of recipes with '") + key + "' does not run it" };
    return { perturb, "SpeechBrain's scripts run it on each utterance that they read" };
}

NodePtr perUtteranceSpeed(const Node& object)
{
    if (isSpeedPerturb(object))
        return std::make_shared<Node>(object);
    if (!isAugmenter(object))
        return nullptr;
    const std::vector<NodePtr> parts = enabledParts(object);
    const auto speeds = std::count_if(
        parts.begin(), parts.end(), [](const NodePtr& part) { return isSpeedPerturb(*part); });
    if (speeds != 1 || !isSpeedPerturb(*parts.front()))
        return nullptr;
    const auto config = read<catalog::AugmenterConfig>(object);
    const bool isFirst
        = parts.size() == 1 || (!config.shuffleAugmentations && !config.parallelAugment);
    const bool isAlways = config.augmentProb >= 1 && config.minAugmentations.value_or(1) >= 1;
    const bool isOnce = config.repeatAugment == 1 && *changeOfRows(config) == '\0';
    return isFirst && isAlways && isOnce ? parts.front() : nullptr;
}

} // namespace earwright::settings
