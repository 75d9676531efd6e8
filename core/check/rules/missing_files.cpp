#include "core/base/file.h"
#include "core/base/no_weights.h"
#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/check/ngram/ngram_file.h"
#include "core/check/rules/missing_file.h"
#include "core/check/rules/rules.h"
#include "core/settings/hotword_file.h"
#include "core/settings/hub_source.h"
#include "core/settings/option_paths.h"
#include "core/settings/pretrainer.h"
#include "core/settings/search_setting.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <filesystem>

namespace earwright::check::rules {

using recipe::NodePtr;
using recipe::Severity;

std::string isMissing(const std::filesystem::path& folder)
{
    return "the folder " + inQuotes(folder.string())
        + " does not exist; set data_folder to where 'earwright prepare' wrote the manifests";
}

std::string isMissing(
    const std::filesystem::path& folder, const std::string& name, const std::string& otherwise)
{
    std::error_code error;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        names.push_back(entry.path().filename().string());
    const std::string nearest = nearestName(name, names);
    return "there is no such file"
        + (nearest.empty() ? otherwise : "; did you mean " + inQuotes(nearest) + "?");
}

namespace {

/// A file that an option names; "" where it is there. `otherwise`: as isMissing() has it.
std::string whyMissing(
    const char* key, const std::filesystem::path& path, const std::string& otherwise = "")
{
    std::error_code error;
    if (path.empty() || std::filesystem::exists(path, error))
        return {};
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    return inQuotes(key) + " names " + inQuotes(path.string()) + ", but "
        + isMissing(folder, path.filename().string(), otherwise);
}

/// Whether it is, and else the error.
bool isThere(const char* key, const std::filesystem::path& path, const recipe::Span& span,
    Diagnostics& found)
{
    const std::string why = whyMissing(key, path);
    if (!why.empty())
        report(found, Severity::Error, "missing-file", why, span);
    return why.empty();
}

/// As upstream, a run makes labels where the file is not there, which may be meant; only a
/// tokenizer's model cannot be made. Beside `tokenizer` the key is not read.
void labelFile(const Context& context, Diagnostics& found)
{
    constexpr const char* kKey = "label_encoder_file";
    const NodePtr node = recipe::find(context.root, kKey);
    const NodePtr tokenizer = recipe::find(context.root, "tokenizer");
    if (!node || context.options.task.empty() || (tokenizer && !recipe::isNull(*tokenizer)))
        return;
    const std::filesystem::path path = settings::plainText(node);
    const bool isModel = path.extension() == ".model";
    const std::string why = whyMissing(
        kKey, path, isModel ? "" : "; the run numbers the labels of its training texts anew");
    if (!why.empty())
        report(
            found, isModel ? Severity::Error : Severity::Warning, "missing-file", why, node->span);
}

/// Several are separated by commas. What is no file of weights at its first bytes is told; the rest
/// is for the run to read.
void initialWeights(const Context& context, Diagnostics& found)
{
    const NodePtr node = settings::findOption(context.root, "init_param");
    const std::string& given = context.options.initParam;
    std::error_code error;
    const bool isOne = std::filesystem::exists(given, error);
    for (const std::string& part : isOne ? std::vector { given } : split(given, ',')) {
        const std::string path(trim(part));
        if (!node || !isThere("init_param", path, node->span, found))
            continue;
        if (const std::string why = whyNoWeights(path); !why.empty())
            report(found, Severity::Error, "missing-file",
                "'init_param' names " + inQuotes(path) + ", but " + why, node->span);
    }
}

/// Unless it is the words themselves.
void hotwordFile(const Context& context, Diagnostics& found)
{
    constexpr const char* kKey = "hotword";
    const NodePtr node = settings::findOption(context.root, kKey);
    const std::string path = settings::plainText(node);
    if (node && settings::namesHotwordFile(path))
        isThere(kKey, path, node->span, found);
}

/// A damaged one would end a training at its test.
void languageModel(const Context& context, Diagnostics& found)
{
    constexpr const char* kKey = "test_beam_search.kenlm_model_path";
    const NodePtr node = settings::findOption(context.root, kKey);
    const std::filesystem::path path = settings::plainText(node);
    if (!node || path.empty() || !isThere(kKey, path, node->span, found))
        return;
    if (const std::string why = whyNoNgramAsBefore(path); !why.empty())
        report(found, Severity::Error, "missing-file",
            inQuotes(kKey) + " names " + inQuotes(path.string())
                + ", which is no language model that can be used: " + why,
            node->span);
}

/// Of a test a warning: the training needs none.
void scorerFiles(const Context& context, Diagnostics& found)
{
    constexpr const char* kOtherwise = "; nothing is fetched: name a file that is here";
    const tasks::Spec* const task = tasks::find(context.options.task);
    settings::NodeSet told;
    for (const std::string& key : task ? task->searchKeys : Names()) {
        const recipe::Entry* const search = settings::findEntry(context.root, key);
        if (!search || recipe::isNull(*search->value) || catalog::isUndetermined(*search->value))
            continue;
        const auto look = [&](const NodePtr& place, const std::string& name,
                              const std::filesystem::path& path) {
            const std::string why = place ? whyMissing(name.c_str(), path, kOtherwise) : "";
            const bool isOfTest = key == settings::kTestSearch;
            if (!why.empty() && told.insert(place.get()).second)
                report(found, isOfTest ? Severity::Warning : Severity::Error, "missing-file",
                    isOfTest ? settings::untestable(why) : why, place->span);
        };
        Diagnostics others; // which the task's own rules say
        const settings::SearchSetting setting = settings::readSearch(context.root, *search, others);
        for (const settings::LanguageModelSetting& model : setting.languageModels)
            look(model.place, model.key, model.weights);
        if (setting.ngram)
            look(setting.ngram->place, "lm_path", setting.ngram->file);
    }
}

/// A Hub's name too: nothing is fetched.
void pretrainedSource(const Context& context, Diagnostics& found)
{
    const auto [key, object, isAdapted] = settings::pretrainedObject(context.root);
    const NodePtr source = object ? recipe::find(*object, "source") : nullptr;
    if (!source || settings::plainText(source).empty())
        return;
    const auto folder = settings::findHubFolder(settings::plainText(source),
        settings::plainText(recipe::find(*object, "save_path")),
        settings::isWhisper(*object) ? settings::HubKind::Whisper : settings::HubKind::Encoder);
    if (!folder)
        report(found, Severity::Error, "missing-file",
            "'source' of " + inQuotes(key) + ": " + folder.error().message, source->span);
}

/// Of layers: nothing is fetched.
void loadedLayers(const Context& context, Diagnostics& found)
{
    const tasks::Spec* const task = tasks::find(context.options.task);
    const Names keys = task ? tasks::layerKeys(task->name, context.root) : Names();
    for (const settings::LoadedLayer& layer : settings::loadedLayers(context.root, keys)) {
        const std::string key = "pretrainer.paths." + layer.name;
        const std::string why = !layer.problem.empty()
            ? layer.problem
            : whyMissing(key.c_str(), layer.path, "; nothing is fetched: name a file that is here");
        if (!why.empty())
            report(found, Severity::Error, "missing-file", why, layer.place);
    }
}

} // namespace

void missingFiles(const Context& context, Diagnostics& found)
{
    if (!context.request.checkFiles)
        return;
    initialWeights(context, found);
    labelFile(context, found);
    hotwordFile(context, found);
    languageModel(context, found);
    scorerFiles(context, found);
    pretrainedSource(context, found);
    loadedLayers(context, found);
}

} // namespace earwright::check::rules
