#include "core/tasks/spec.h"

#include "core/recipe/value_at.h"
#include "core/settings/layer_keys.h"
#include "core/settings/manifest_keys.h"
#include "core/settings/optimizer_settings.h"
#include "core/tasks/speech.h"

#include <algorithm>

namespace earwright::tasks {

#define EARWRIGHT_TASK(task)                                                                       \
    namespace task {                                                                               \
    Spec spec();                                                                                   \
    }
#include "core/tasks/tasks.inc"
#undef EARWRIGHT_TASK

namespace {

/// A recipe of a Hub's data set has that of the validation beside the other, see hubManifest().
Names validationKeys()
{
    Names keys = settings::manifestKeys("valid");
    keys.insert(keys.end(), { "hf_hub", "hf_download_folder" });
    return keys;
}

Spec completed(Spec spec)
{
    spec.needed.insert(spec.needed.end(),
        {
            { { "modules" }, "what is trained" },
            { settings::optimizerKeys(), "the optimizer" },
            { { "epoch_counter", "number_of_epochs" }, "the number of epochs" },
            { settings::manifestKeys("train"), "the training manifest" },
            { validationKeys(), "the validation manifest" },
        });
    spec.built.insert(spec.built.end(),
        { "normalize", "wav_augment", "label_encoder", "tokenizer", "modules", "epoch_counter" });
    for (const Names& keys : { settings::optimizerKeys(), settings::scheduleKeys() })
        spec.built.insert(spec.built.end(), keys.begin(), keys.end());
    return spec;
}

std::deque<Spec>& all()
{
    static std::deque<Spec> specs {
#define EARWRIGHT_TASK(task) completed(task::spec()),
#include "core/tasks/tasks.inc"
#undef EARWRIGHT_TASK
    };
    return specs;
}

} // namespace

const std::deque<Spec>& specs()
{
    return all();
}

void add(Spec spec)
{
    all().push_back(completed(std::move(spec)));
}

const Spec* find(std::string_view name)
{
    const auto found = std::find_if(
        all().begin(), all().end(), [&](const Spec& spec) { return spec.name == name; });
    return found == all().end() ? nullptr : &*found;
}

const Spec* of(const recipe::Node& recipe)
{
    return find(recipe::textAt(recipe, "task"));
}

std::vector<settings::UtteranceLabel> utteranceLabels(const recipe::Node& recipe)
{
    const Spec* task = of(recipe);
    return task ? task->utteranceLabels : std::vector<settings::UtteranceLabel>();
}

Names names()
{
    Names names;
    for (const Spec& spec : specs())
        names.push_back(spec.name);
    return names;
}

std::vector<Likely> likely(const recipe::Node& recipe)
{
    std::vector<Likely> all;
    for (const Spec& spec : specs())
        if (std::string signs = spec.signs ? spec.signs(recipe) : ""; !signs.empty())
            all.push_back({ &spec, std::move(signs) });
    return all;
}

const Names& layerKeys(std::string_view task)
{
    static const Names kNone;
    const Spec* spec = find(task);
    return spec ? spec->layerKeys : kNone;
}

Names layerKeys(std::string_view task, const recipe::Node& recipe)
{
    Names keys = layerKeys(task);
    const recipe::NodePtr model = recipe::find(recipe, "model");
    const bool hasEncoder = settings::findLayer(recipe, "enc") != nullptr;
    if (hasEncoder || (model && settings::isLayerList(*model)))
        std::erase(keys, "model");
    if (hasEncoder && std::find(keys.begin(), keys.end(), "enc") != keys.end())
        std::erase(keys, "Transformer");
    return keys;
}

settings::SpecialLabels specialLabels(const recipe::Node& recipe)
{
    const Spec* spec = of(recipe);
    settings::SpecialLabels labels
        = spec ? spec->specialLabels(recipe) : speechSpecialLabels(recipe);
    const recipe::NodePtr unknown = recipe::find(recipe, "add_unk");
    if (unknown)
        labels.addUnk = recipe::asBool(*unknown).value_or(false);
    return labels;
}

settings::OutputClasses outputClasses(const recipe::Node& recipe)
{
    const Spec* spec = of(recipe);
    for (const std::string& path : spec ? spec->classPaths(recipe) : speechClassPaths(recipe)) {
        const recipe::NodePtr node = recipe::findPath(recipe, path);
        if (const auto count = node ? recipe::asInt(*node) : std::nullopt)
            return { path, *count };
    }
    return {};
}

std::optional<settings::FrameRate> frameRate(const recipe::Node& recipe, int sampleRateHz)
{
    const Spec* spec = of(recipe);
    return spec ? spec->frameRate(recipe, sampleRateHz) : speechFrameRate(recipe, sampleRateHz);
}

std::optional<int64_t> mostTokens(const recipe::Node& recipe)
{
    const Spec* spec = of(recipe);
    return spec && spec->mostTokens ? spec->mostTokens(recipe) : std::nullopt;
}

bool carriesRows(const recipe::Node& recipe)
{
    const Spec* spec = of(recipe);
    return !spec || spec->carriesRows;
}

bool runsDownsampler(const recipe::Node& recipe)
{
    const Spec* task = of(recipe);
    return !task
        || std::find(task->layerKeys.begin(), task->layerKeys.end(), kDownsampler)
        != task->layerKeys.end();
}

bool drawsSpeedsWhileReading(const recipe::Node& recipe)
{
    return !runsDownsampler(recipe) || !settings::findLayer(recipe, kDownsampler);
}

} // namespace earwright::tasks
