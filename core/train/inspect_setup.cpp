#include "core/train/inspect_setup.h"

#include "core/base/file.h"
#include "core/check/rule_table.h"
#include "core/data/doctor.h"
#include "core/data/recipe_data.h"
#include "core/model/adapters/adapted_model.h"
#include "core/model/pretrained/hub_layer.h"
#include "core/model/transformer/encoder.h"
#include "core/recipe/value_at.h"
#include "core/settings/optimizer_settings.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"
#include "core/train/dataset.h"
#include "core/train/optim/encoder_learning.h"
#include "core/train/optim/optimizer.h"
#include "core/train/optim/parameter_groups.h"
#include "core/train/optim/schedule.h"
#include "core/train/task/task.h"
#include "core/train/weights/starting_recipe.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace earwright::train {

namespace {

using recipe::Diagnostic;

/// A tokenizer of more texts takes longer than a check may.
constexpr size_t kMostLearntBytes = size_t { 1 } << 20;

bool areThere(const recipe::Node& recipe)
{
    for (const char* split : { "train", "valid", "test" })
        for (const data::NamedManifest& manifest : data::manifestsOf(recipe, split))
            if (!isFile(manifest.path))
                return false;
    for (const recipe::NodePtr& object : data::soundObjects(recipe)) // a run may make them too
        if (!isFile(recipe::textAt(*object, "csv_file")))
            return false;
    return !data::manifestsOf(recipe, "train").empty();
}

/// One start, as far as it comes.
class SetUp final {
public:
    explicit SetUp(const plan::Plan& plan)
        : m_plan(plan)
    {
    }

    std::vector<Diagnostic> inspect()
    {
        if (!areThere(*m_plan.recipe) || !readSets() || !makeEncoder())
            return std::move(m_found);
        if (m_isTokenizerOfRun)
            lookAtTexts();
        build();
        return std::move(m_found);
    }

private:
    /// At the first of these keys that the recipe has.
    void say(const std::string& rule, const std::string& message,
        std::initializer_list<std::string> keys)
    {
        Diagnostic diagnostic { recipe::Severity::Error, rule, message, m_plan.recipe->span, {},
            {} };
        for (const std::string& key : keys) {
            const recipe::NodePtr node = recipe::findPath(*m_plan.recipe, key);
            if (key.empty() || !node)
                continue;
            const recipe::Entry* const entry = settings::findEntry(*m_plan.recipe, key);
            diagnostic.span = entry ? entry->key->span : node->span;
            break;
        }
        m_found.push_back(std::move(diagnostic));
    }

    bool readSets();
    bool makeEncoder();
    void lookAtTexts();
    void build();
    bool sayOfLayer(const std::string& message);
    void buildOptimizer(ModuleSet& modules);

    const plan::Plan& m_plan;
    std::vector<PackedSplit> m_sets; ///< the training set first
    std::shared_ptr<const data::TextEncoder> m_encoder;
    bool m_isTokenizerOfRun = false; ///< it was trained here, as a run trains it
    std::vector<Diagnostic> m_found;
};

bool SetUp::readSets()
{
    for (const std::string name : { "train", "valid", "test" }) {
        Result<std::vector<PackedSplit>> splits = readPackedSplits(m_plan, name);
        if (!splits) {
            say("set-up", splits.error().message,
                { name + "_dataloader_opts", name + "_csv", name + "_json", name + "_annotation",
                    name + "_manifest" });
            return false;
        }
        std::move(splits->begin(), splits->end(), std::back_inserter(m_sets));
    }
    return true;
}

bool SetUp::makeEncoder()
{
    const StartingRecipe starting(*m_plan.recipe);
    Result<std::optional<data::MadeEncoder>> made = data::makeEncoderToCheck(
        *starting.recipe(), trainingTexts(m_sets.front()), kMostLearntBytes);
    if (!made) {
        say("set-up", starting.asGiven(made.error().message),
            { m_plan.settings.task.classes.path, "tokenizer", "token_type", "label_encoder" });
        return false;
    }
    if (!*made)
        return false;
    m_isTokenizerOfRun = data::trainsTokenizer(*starting.recipe()) && !(*made)->isOfPart;
    m_encoder = std::make_shared<const data::TextEncoder>(std::move((*made)->encoder));
    if (const auto& hotwords = m_sets.front().split.loader.hotwords)
        if (const Status sampled = data::checkSampling(*hotwords, *m_encoder); !sampled)
            say("set-up", sampled.error().message, { "hotword_min_length", "hotword_unit" });
    return m_found.empty();
}

/// The check of the data had no tokenizer to do it with.
void SetUp::lookAtTexts()
{
    std::set<std::string> seen; // a set may serve twice
    for (const auto& [set, utterances, durations] : m_sets) {
        if (!seen.insert(set.manifest).second)
            continue;
        const int rate = set.loader.sampleRateHz;
        const auto found = data::inspectTokens(utterances,
            { .manifestFile = set.manifest,
                .sampleRateHz = rate,
                .encoder = m_encoder.get(),
                .frameRate = tasks::frameRate(*m_plan.recipe, rate),
                .mostTokens = tasks::mostTokens(*m_plan.recipe),
                .utteranceLabels = set.loader.utteranceLabels });
        m_found.insert(m_found.end(), found.begin(), found.end());
    }
}

/// At the place that begins the message, in its stead; false where none of the recipe does.
bool SetUp::sayOfLayer(const std::string& message)
{
    const recipe::Span* place = nullptr;
    for (const recipe::Node* node : settings::reachableFrom(m_plan.recipe))
        if (message.starts_with(atPlace(node->span))
            && (!place || node->span.begin.column < place->begin.column))
            place = &node->span;
    if (!place)
        return false;
    m_found.push_back({ recipe::Severity::Error, "set-up", message.substr(atPlace(*place).size()),
        *place, {}, {} });
    return true;
}

void SetUp::build()
try {
    const auto task
        = makeTask(*m_plan.recipe, m_encoder, torch::kCPU, m_plan.options.lossWeighting);
    if (!task) {
        if (sayOfLayer(task.error().message))
            return;
        const settings::OutputClasses& classes = m_plan.settings.task.classes;
        const bool isFew = classes.count > 0 && classes.count < m_encoder->size();
        return say(isFew ? "label-count" : "set-up", task.error().message, { classes.path });
    }
    ModuleSet& modules = (*task)->modules();
    if (const Status fits = fitsStaticGraph(modules, m_plan.options); !fits)
        say("set-up", fits.error().message, { "static_graph" });
    buildOptimizer(modules);
} catch (const c10::Error& problem) {
    say("set-up", problem.what_without_backtrace(), {});
}

void SetUp::buildOptimizer(ModuleSet& modules)
{
    if (const Status frozen = freeze(m_plan.options.freezeParam, modules.weights()); !frozen)
        return; // inspectStart() tells it
    const auto parameters = modules.parameters();
    if (parameters.empty())
        return say("set-up",
            "the recipe's modules have no trainable parameters: nothing would be trained",
            { "modules" });
    const settings::OptimizerSettings& settings = m_plan.settings.optimizer;
    const DividedParameters divided = divideParameters(modules, settings);
    const auto groups = parameterGroups(*m_plan.recipe, divided.others);
    if (!settings.optimizer || !groups)
        return;
    std::vector<Diagnostic> found;
    makeOptimizer(*settings.optimizer, *groups, found, m_plan.options.removeVectorWeightDecay);
    if (settings.second && settings.second->optimizer != settings.optimizer)
        makeOptimizer(
            *settings.second->optimizer, *groups, found, m_plan.options.removeVectorWeightDecay);
    makeSchedule(settings.schedule.get(), found);
    if (settings.ofEncoder)
        if (const auto learning = EncoderLearning::make(
                *settings.ofEncoder, divided.ofEncoder, m_plan.options.removeVectorWeightDecay);
            !learning)
            say("set-up", learning.error().message, { settings::encoderOptimizerKeys().front() });
    std::copy_if(found.begin(), found.end(), std::back_inserter(m_found),
        [](const Diagnostic& one) { return one.severity == recipe::Severity::Error; });
}

} // namespace

std::vector<Diagnostic> inspectSetUp(const plan::Plan& plan)
{
    std::vector<Diagnostic> found = SetUp(plan).inspect();
    check::dropDisabledRules(found);
    return found;
}

bool dropsLayers(const ModuleSet& modules)
{
    const auto& all = modules.modules();
    return std::any_of(all.begin(), all.end(), [](const auto& entry) {
        const auto pretrained
            = std::dynamic_pointer_cast<model::HubLayer>(model::unwrapped(entry.second));
        return model::dropsLayers(*entry.second) || (pretrained && pretrained->dropsLayers());
    });
}

Status fitsStaticGraph(const ModuleSet& modules, const plan::RunOptions& options)
{
    if (!options.staticGraph || !dropsLayers(modules))
        return Done {};
    return Error { "static_graph: True promises that every step uses the same parameters, and "
                   "layerdrop_prob (of a pretrained encoder, layerdrop of its config.json) leaves "
                   "layers out: set one of them to its default" };
}

} // namespace earwright::train
