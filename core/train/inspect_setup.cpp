#include "core/train/inspect_setup.h"

#include "core/base/file.h"
#include "core/check/rule_table.h"
#include "core/data/encoder_source.h"
#include "core/data/recipe_data.h"
#include "core/model/pretrained/pretrained_layer.h"
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

namespace earwright::train {

namespace {

using recipe::Diagnostic;

/// A tokenizer of more texts takes longer than a check may; and has pieces enough.
constexpr size_t kMostTrainedBytes = size_t { 1 } << 20;

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
        if (areThere(*m_plan.recipe) && readSets() && makeEncoder())
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
    bool trainsLong(const recipe::Node& starting) const;
    void build();
    void buildOptimizer(ModuleSet& modules);

    const plan::Plan& m_plan;
    Split m_train;
    std::shared_ptr<const data::TextEncoder> m_encoder;
    std::vector<Diagnostic> m_found;
};

bool SetUp::readSets()
{
    for (const std::string name : { "train", "valid", "test" }) {
        Result<std::vector<Split>> splits = readSplits(m_plan, name);
        if (!splits) {
            say("set-up", splits.error().message,
                { name + "_dataloader_opts", name + "_csv", name + "_json", name + "_annotation",
                    name + "_manifest" });
            return false;
        }
        if (name == "train")
            m_train = std::move(splits->front());
    }
    return true;
}

bool SetUp::trainsLong(const recipe::Node& starting) const
{
    const data::EncoderSource source = data::encoderSource(starting);
    size_t bytes = 0;
    for (const data::Utterance& utterance : *m_train.utterances)
        bytes += utterance.text.size();
    return source.isPieces && source.file.empty() && bytes > kMostTrainedBytes;
}

bool SetUp::makeEncoder()
{
    const StartingRecipe starting(*m_plan.recipe);
    if (trainsLong(*starting.recipe()))
        return false;
    plan::Plan plan = m_plan;
    plan.recipe = starting.recipe();
    Result<data::MadeEncoder> made = train::makeEncoder(plan, m_train);
    if (!made) {
        say("set-up", starting.asGiven(made.error().message),
            { tasks::outputClasses(*m_plan.recipe).path, "tokenizer", "token_type",
                "label_encoder" });
        return false;
    }
    m_encoder = std::make_shared<const data::TextEncoder>(std::move(made->encoder));
    if (m_train.loader.hotwords)
        if (const Status sampled = data::checkSampling(*m_train.loader.hotwords, *m_encoder);
            !sampled)
            say("set-up", sampled.error().message, { "hotword_min_length", "hotword_unit" });
    return m_found.empty();
}

void SetUp::build()
try {
    const auto task
        = makeTask(*m_plan.recipe, m_encoder, torch::kCPU, m_plan.options.lossWeighting);
    if (!task) {
        const settings::OutputClasses classes = tasks::outputClasses(*m_plan.recipe);
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
    const settings::OptimizerSettings settings = settings::optimizerSettings(*m_plan.recipe);
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
        const auto pretrained = std::dynamic_pointer_cast<model::PretrainedLayer>(entry.second);
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
