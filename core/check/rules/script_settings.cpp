#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/check/rules/rules.h"
#include "core/recipe/value_at.h"
#include "core/settings/hub_source.h"
#include "core/settings/manifest_keys.h"
#include "core/settings/optimizer_settings.h"
#include "core/settings/option_paths.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

namespace earwright::check::rules {

using recipe::Entry;
using recipe::NodePtr;
using recipe::Severity;

namespace {

/// Upstream's scripts with this key train on phones, by another column, and cut it themselves.
void phones(const Context& context, Diagnostics& found)
{
    const Entry* const entry = settings::findEntry(context.root, "per_stats");
    if (!entry || recipe::isNull(*entry->value) || settings::trainsOnPhones(context.root))
        return;
    for (const char* key : { "tokenizer", "label_encoder", "token_type" }) {
        if (!recipe::find(context.root, key))
            continue;
        report(found, Severity::Error, "option-conflict",
            "'per_stats' counts phones, and " + inQuotes(key)
                + " cuts texts: take per_stats out to train on the words of the manifests, or "
                + inQuotes(key) + " to train on their phones",
            entry->key->span);
        return;
    }
}

/// Upstream's one script that cuts texts by it trains by CTC; its [CLS] and [SEP] are in the texts.
void bertPieces(const Context& context, const tasks::Spec& task, Diagnostics& found)
{
    const Entry* const entry = settings::findEntry(context.root, "tokenizer");
    Names others;
    for (const tasks::Spec& spec : tasks::specs())
        if (spec.takesMarkedTexts)
            others.push_back(spec.name);
    if (entry && !task.takesMarkedTexts
        && catalog::classOf(*entry->value) == settings::kBertTokenizer)
        report(found, Severity::Error, "option-conflict",
            "'tokenizer' is BERT's, whose texts begin and end with labels of its own, and task '"
                + task.name
                + "' puts others there: take another tokenizer, or task: " + join(others, " or "),
            entry->key->span);
}

recipe::Span spanOf(const Context& context, const char* key)
{
    const NodePtr node = settings::findOption(context.root, key);
    return node ? node->span : context.root.span;
}

/// An epoch without texts has no error rate to be judged by.
void searchInterval(const Context& context, const tasks::Spec& task, Diagnostics& found)
{
    const int64_t interval = recipe::intAt(context.root, "valid_search_interval", 1);
    const catalog::RunOptions& options = context.options;
    const bool isByRate = options.minKey == "WER" || options.minKey == "CER";
    const bool isByHotwords = options.maxKey.starts_with("hotword");
    if (!task.countsAccuracy || interval <= 1 || (!isByRate && !isByHotwords))
        return;
    const char* const key = isByRate ? "min_key" : "max_key";
    report(found, Severity::Error, "option-conflict",
        std::string("'") + key + ": " + (isByRate ? options.minKey : options.maxKey)
            + "' needs the texts of every validation, and 'valid_search_interval' is "
            + std::to_string(interval) + ": set that to 1, or judge by max_key: ACC",
        spanOf(context, key));
}

void accuracy(const Context& context, const tasks::Spec& task, Diagnostics& found)
{
    if (context.options.maxKey == "ACC" && !task.countsAccuracy)
        report(found, Severity::Error, "option-conflict",
            "'max_key: ACC' counts the labels of a decoder, which task '" + task.name
                + "' has not; use min_key",
            spanOf(context, "max_key"));
}

/// Two keys that say nothing one without the other. `SGD` may be the first optimizer's too.
void halfOfAStage(const Context& context, Diagnostics& found)
{
    const Entry* const optimizer = settings::findEntry(context.root, "SGD");
    const Entry* const epochs = settings::findEntry(context.root, "stage_one_epochs");
    const auto isGiven = [](const Entry* entry) { return entry && !recipe::isNull(*entry->value); };
    if (isGiven(epochs) && !isGiven(optimizer))
        report(found, Severity::Warning, "no-effect",
            "'stage_one_epochs' ends no stage without 'SGD', the optimizer of the next one",
            epochs->key->span);
    if (!isGiven(optimizer) || isGiven(epochs)
        || context.settings.optimizer.optimizer == optimizer->value)
        return;
    report(found, Severity::Warning, "no-effect",
        "'SGD' is not used: add 'stage_one_epochs', the epochs before it takes over",
        optimizer->key->span);
}

/// SpeechBrain 1.1.2 steps the optimizers of `optimizers_dict`, in which its script leaves the
/// first one.
void secondStage(const Context& context, Diagnostics& found)
{
    const settings::OptimizerSettings& settings = context.settings.optimizer;
    if (!settings.second)
        return;
    const std::string from
        = " from epoch " + std::to_string(settings.second->afterEpochs + 1) + " on";
    report(found, Severity::Info, "differs-from-upstream",
        (settings.ofEncoder ? "'SGD' trains the layers beside the pretrained encoder" + from
                    + "; SpeechBrain's script gives it those of the encoder too"
                            : "'SGD' trains" + from + ", as SpeechBrain's script means it")
            + "; SpeechBrain 1.1.2 makes it and goes on with the first optimizer",
        settings::findEntry(context.root, "SGD")->key->span);
}

/// As upstream's script calls its schedule after every step of either stage.
void rateOfSecondStage(const Context& context, Diagnostics& found)
{
    const auto& [optimizer, schedule, second, ofEncoder] = context.settings.optimizer;
    const NodePtr rate = second ? recipe::find(*second->optimizer, "lr") : nullptr;
    if (!rate || !schedule || !catalog::lastPart(catalog::classOf(*schedule)).starts_with("Noam"))
        return;
    report(found, Severity::Warning, "no-effect",
        "'lr' of the second stage's optimizer holds for its first step: "
            + std::string(catalog::lastPart(catalog::classOf(*schedule)))
            + " sets the rate after every step, as in SpeechBrain",
        rate->span);
}

} // namespace

void scriptSettings(const Context& context, Diagnostics& found)
{
    if (const tasks::Spec* task = tasks::find(context.options.task)) {
        searchInterval(context, *task, found);
        accuracy(context, *task, found);
        bertPieces(context, *task, found);
    }
    phones(context, found);
    halfOfAStage(context, found);
    secondStage(context, found);
    rateOfSecondStage(context, found);
}

} // namespace earwright::check::rules
