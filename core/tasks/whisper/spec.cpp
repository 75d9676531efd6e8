#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/recipe/value_at.h"
#include "core/settings/data_settings.h"
#include "core/settings/hub_model.h"
#include "core/settings/hub_source.h"
#include "core/settings/optimizer_settings.h"
#include "core/settings/search_setting.h"
#include "core/settings/tree.h"
#include "core/tasks/pretrained.h"

namespace earwright::tasks::whisper {

using recipe::Severity;
using settings::report;

namespace {

constexpr settings::Reader kReader { "train::WhisperTask" };
constexpr const char* kOptimizer = "whisper_opt_class";
constexpr const char* kSchedule = "lr_annealing_whisper";
constexpr int kRateHz = 16000; ///< of its features

constexpr settings::KnownKey kKeys[] = {
    { settings::kWhisper, kReader, "an object, Whisper", "a pretrained encoder and decoder" },
    { "nll_loss", kReader, "a !name: of nll_loss", "the loss of the decoder" },
    { "log_softmax", kReader, "an object, such as LogSoftmax", "makes log probabilities" },
    { kOptimizer, settings::kOptimizerReader, "a !name: of an optimizer",
        "the optimizer of Whisper" },
    { kSchedule, settings::kScheduleReader, "an object, such as NoamScheduler",
        "changes the learning rate of Whisper" },
    { "normalized_transcripts", settings::kLabelsReader, "True or False",
        "texts as Whisper's normaliser of English writes them" },
    { "valid_search", kReader },
    { "test_search", kReader },
};

constexpr const char* kSearches[] = { "valid_search", "test_search" };

bool isGiven(const recipe::Entry* entry)
{
    return entry && !recipe::isNull(*entry->value) && !catalog::isUndetermined(*entry->value);
}

void model(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::NodePtr object = settings::pretrainedObject(recipe.root).object;
    if (!object)
        return; // said by others
    if (!settings::whisperModel(recipe.root))
        report(found, Severity::Error, "argument-range",
            "task whisper needs a Whisper with its decoder: 'encoder_only' must be False; its "
            "encoder alone is trained by task ctc",
            object->span);
    const recipe::NodePtr all = recipe::find(*object, "output_all_hiddens");
    if (all && recipe::asBool(*all).value_or(false))
        report(found, Severity::Error, "argument-range",
            "'output_all_hiddens' of 'whisper' must be False: searches read its last layer",
            all->span);
}

void sampleRate(const Checked& recipe, settings::Diagnostics& found)
{
    const int rate = settings::dataSettings(recipe.root).sampleRateHz;
    const recipe::Entry* entry = settings::findEntry(recipe.root, "sample_rate");
    if (rate != kRateHz && entry)
        report(found, Severity::Error, "option-conflict",
            "'sample_rate' must be " + std::to_string(kRateHz)
                + ", at which Whisper hears: audio of other rates is resampled",
            entry->value->span);
}

/// Upstream's script makes no other.
void optimizer(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::Entry* own = settings::findEntry(recipe.root, kOptimizer);
    const recipe::NodePtr used = settings::optimizerSettings(recipe.root).optimizer;
    if (isGiven(own) && used != own->value)
        report(found, Severity::Error, "option-conflict",
            inQuotes(kOptimizer)
                + " trains all of Whisper, and the recipe has another optimizer: leave out one of "
                  "them",
            own->key->span);
}

/// Upstream's script makes one and never calls it.
void schedule(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::Entry* own = settings::findEntry(recipe.root, kSchedule);
    if (isGiven(own) && settings::optimizerSettings(recipe.root).schedule == own->value)
        report(found, Severity::Info, "differs-from-upstream",
            inQuotes(kSchedule)
                + " changes the learning rate; SpeechBrain's script never calls it, and its rate "
                  "stays that of "
                + inQuotes(kOptimizer) + ": take it out to train so",
            own->key->span);
}

void searches(const Checked& recipe, settings::Diagnostics& found)
{
    for (const char* key : kSearches) {
        const recipe::Entry* search = settings::findEntry(recipe.root, key);
        if (!isGiven(search))
            continue;
        const size_t before = found.size();
        if (!settings::readSearch(recipe.root, *search, found).whisper && found.size() == before)
            report(found, Severity::Error, "search",
                inQuotes(key)
                    + " must be a !new: of speechbrain.decoders.S2SWhisperBeamSearcher or "
                      "S2SWhisperGreedySearcher",
                search->value->span);
    }
}

/// It writes other languages without their accents, and their numbers as if they were English.
void normalizedLanguage(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::Entry* key = settings::findEntry(recipe.root, "normalized_transcripts");
    const recipe::NodePtr object = settings::whisperModel(recipe.root);
    const std::string language = object ? recipe::textAt(*object, "language") : "";
    const std::string name = toLower(language);
    if (key && !name.empty() && name != "en" && name != "english")
        report(found, Severity::Warning, "option-conflict",
            "'normalized_transcripts' scores texts by Whisper's normaliser of English, True or "
            "False, and 'language' of 'whisper' is "
                + inQuotes(language) + ": leave 'normalized_transcripts' out",
            key->key->span);
}

/// `hasattr(hparams, …)` of a dict: the script of the Common Voice means to, and does not.
void normalizedTexts(const Checked& recipe, settings::Diagnostics& found)
{
    const recipe::Entry* key = settings::findEntry(recipe.root, "normalized_transcripts");
    if (key && recipe::asBool(*key->value).value_or(false)
        && recipe::find(recipe.root, "accented_letters"))
        report(found, Severity::Info, "differs-from-upstream",
            "'normalized_transcripts' holds for the texts of the training too, as in SpeechBrain's "
            "script for LibriSpeech; that for Common Voice trains on the texts as they are",
            key->key->span);
}

std::string signs(const recipe::Node& root)
{
    const recipe::NodePtr loss = recipe::find(root, "nll_loss");
    const bool hasLoss = loss && recipe::nameClass(*loss).ends_with(".nll_loss");
    return hasLoss && settings::whisperModel(root) && !recipe::find(root, "ctc_cost")
        ? "'whisper' and 'nll_loss'"
        : "";
}

settings::SpecialLabels specialLabels(const recipe::Node&)
{
    return {};
}

Names classPaths(const recipe::Node&)
{
    return {};
}

std::optional<settings::FrameRate> frameRate(const recipe::Node&, int)
{
    return std::nullopt;
}

/// Where its folder is here.
std::optional<int64_t> mostTokens(const recipe::Node& root)
{
    const recipe::NodePtr object = settings::whisperModel(root);
    const auto folder = object ? settings::findHubFolder(
                            recipe::textAt(*object, "source"), recipe::textAt(*object, "save_path"))
                               : Error {};
    const auto model = folder ? settings::readHubModel(*folder) : folder.error();
    return model ? std::optional(model->mostTokens()) : std::nullopt;
}

} // namespace

Spec spec()
{
    return { .name = "whisper",
        .needed
        = { { { settings::kWhisper }, "the model" }, { { "nll_loss" }, "the loss", { "nll_loss" } },
            { { "valid_search" }, "the search of the validation" },
            { { "test_search" }, "the search of the test" } },
        .built = { settings::kWhisper, "log_softmax", "nll_loss" },
        .layerKeys = { settings::kWhisper, "log_softmax" },
        .searchKeys = { std::begin(kSearches), std::end(kSearches) },
        .keys = { std::begin(kKeys), std::end(kKeys) },
        .ownKeys = { "nll_loss", "normalized_transcripts", "valid_search", "test_search" },
        .ownOverrides = { settings::kWhisper, "log_softmax" },
        .rules = { model, featureRules, sampleRate, optimizer, schedule, searches, normalizedTexts,
            normalizedLanguage },
        .cutsTextsAsItsModel = true,
        .signs = signs,
        .specialLabels = specialLabels,
        .classPaths = classPaths,
        .frameRate = frameRate,
        .mostTokens = mostTokens };
}

} // namespace earwright::tasks::whisper
