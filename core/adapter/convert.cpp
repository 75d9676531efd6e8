#include "core/adapter/convert.h"

#include "core/adapter/adapt.h"
#include "core/adapter/command_keys.h"
#include "core/adapter/given_sizes.h"
#include "core/adapter/loader_keys.h"
#include "core/adapter/overrides.h"
#include "core/adapter/query_table.h"
#include "core/adapter/recipe_text.h"
#include "core/adapter/seaco_layers.h"
#include "core/adapter/tokenizer_keys.h"
#include "core/adapter/train_options.h"
#include "core/adapter/untrained.h"
#include "core/base/names.h"
#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/recipe/value_at.h"
#include "core/tasks/spec.h"

#include <algorithm>
#include <array>

namespace earwright::adapter {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;

namespace {

constexpr const char* kWarmup = "funasr.schedulers.warmup_lr.WarmupLR";
constexpr const char* kWeNetWarmup = "wenet.utils.scheduler.WarmupLR";
constexpr const char* kCtc = "funasr.models.ctc.ctc.CTC";

// What FunASR's classes take where a configuration says nothing.
constexpr const char* kUsualCtcWeight = "0.5";
constexpr const char* kUsualGradClip = "10.0";
constexpr const char* kUsualEpochs = "100";
constexpr int64_t kUsualRateHz = 16000; // of Earwright's `sample_rate` too

const tasks::Spec& taskOf(const Node& root)
{
    const NodePtr model = recipe::find(root, "model");
    const std::string name = model ? std::string(recipe::nameClass(*model)) : "";
    const tasks::Spec* usual = nullptr;
    for (const tasks::Spec& spec : tasks::specs()) {
        if (spec.foreign.isOfAllOthers)
            usual = &spec;
        for (const std::string& own : spec.foreign.funasrClasses)
            if (name.ends_with("." + own))
                return spec;
    }
    return *usual;
}

NodePtr tagged(const char* tag, const std::string& text)
{
    const NodePtr node = recipe::makeScalar(text);
    node->tag = tag;
    return node;
}

class Writer final {
public:
    Writer(Adapted adapted, Toolkit toolkit, const std::string& fileName,
        const ConvertOptions& options)
        : m_root(*adapted.root)
        , m_task(taskOf(m_root))
        , m_toolkit(toolkit)
        , m_countTokens(options.countTokens)
        , m_numRanks(options.numRanks)
        , m_recipe(toolkit, fileName)
    {
        m_recipe.converted().diagnostics = std::move(adapted.diagnostics);
        m_recipe.put("task", recipe::makeScalar(m_task.name), "");
    }

    Converted run()
    {
        // The first to set a key keeps it, and what an override adds stands at the end.
        std::vector<Entry> entries = m_root.entries;
        std::stable_partition(entries.begin(), entries.end(),
            [](const Entry& entry) { return entry.key->origin >= recipe::Origin::Override; });
        for (const Entry& entry : entries)
            write(entry);
        if (m_toolkit == Toolkit::FunAsr)
            writeUsual();
        if (m_task.foreign.hasSeacoLayers)
            for (const std::string& layer : writeSeacoLayers(m_root, m_recipe))
                addModule(layer);
        if (m_task.foreign.hasQueries)
            addModule(writeQueryTable(m_recipe));
        writeTokenCount(m_root, m_countTokens, m_recipe);
        writeManifests();
        m_recipe.put("modules", m_modules, "what has parameters");
        return std::move(m_recipe.converted());
    }

private:
    void write(const Entry& entry)
    {
        const std::string& key = entry.key->text;
        if (key == "model" || key == "model_conf")
            return writeModel(*entry.value);
        if (key == "train_conf")
            return writeOptions(entry);
        if (key == "dataset_conf" && m_toolkit == Toolkit::FunAsr)
            return writeLoader(entry);
        if (key == "dataset" && contains(m_task.foreign.funasrDatasets, entry.value->text))
            return;
        if (m_toolkit == Toolkit::FunAsr && writeCommandKey(entry, m_recipe))
            return;
        if (hasCtcLoss() && key == "ctc_conf")
            return writeCtc(entry);
        if (hasCtcLoss() && key == "ctc")
            return; // upstream has one class, whatever stands here
        if (key == "optim")
            return m_recipe.put("opt_class", entry.value, m_recipe.placeOf(entry));
        if (key == "scheduler")
            return writeSchedule(entry);
        if (key == "tokenizer" && writeTokenizer(entry, m_recipe))
            return;
        if (recipe::nameClass(*entry.value).empty())
            return writePlain(entry);
        writeObject(entry);
    }

    void writeModel(const Node& settings)
    {
        const catalog::ClassInfo* model = catalog::findClass(recipe::nameClass(settings));
        for (const Entry& entry : settings.entries) {
            const std::string& key = entry.key->text;
            if (m_task.foreign.hasSeacoLayers && isOfSeacoLayers(key))
                continue; // writeSeacoLayers()
            if (model && model->ignoresOthers && !reads(*model, key))
                m_recipe.refuse(entry, inQuotes(key) + " is left out: the model never reads it");
            else
                m_recipe.put(key, entry.value, m_recipe.placeOf(entry));
        }
    }

    /// Never of SeACo: upstream builds its CTC, but takes no loss of it.
    bool hasCtcLoss() const
    {
        const NodePtr weight = recipe::findPath(m_root, "model.ctc_weight");
        const bool isWeighedIn
            = m_task.foreign.hasFunasrCtc && (!weight || recipe::asDouble(*weight) != 0);
        return m_toolkit == Toolkit::FunAsr && (isWeighedIn || m_task.foreign.hasQueries);
    }

    void writeCtc(const Entry& arguments)
    {
        const NodePtr object = emptyMapping();
        object->entries = arguments.value->entries;
        object->tag = std::string("!name:") + kCtc;
        const NodePtr key = recipe::makeScalar("ctc");
        key->span = arguments.key->span;
        writeObject({ key, object });
    }

    /// Defaults that are others than Earwright's. What was given is written before, and stays.
    void writeUsual()
    {
        if (hasCtcLoss() && !m_task.foreign.hasQueries && !m_recipe.has("ctc_weight"))
            m_recipe.put(
                "ctc_weight", recipe::makeScalar(kUsualCtcWeight), "not given: FunASR's default");
        if (hasCtcLoss() && !m_recipe.has("ctc"))
            writeCtc({ recipe::find(m_root, "model"), emptyMapping() });
        m_recipe.put("max_grad_norm", recipe::makeScalar(kUsualGradClip),
            "grad_clip is not given: FunASR's default");
        m_recipe.put("number_of_epochs", recipe::makeScalar(kUsualEpochs),
            "max_epoch is not given: FunASR's default");
        const NodePtr rate = recipe::findPath(m_root, "frontend.fs");
        if (rate && recipe::asInt(*rate) != kUsualRateHz)
            m_recipe.put("sample_rate", rate, "the frontend's fs, at which FunASR reads audio");
        if (!recipe::find(m_root, "dataset_conf"))
            loaderKeys(*emptyMapping()).write(m_task.foreign);
    }

    LoaderKeys loaderKeys(const Node& section)
    {
        return { section,
            { .numRanks = m_numRanks,
                .rateHz = recipe::intAt(m_root, "frontend.fs", kUsualRateHz) },
            m_recipe };
    }

    static bool reads(const catalog::ClassInfo& model, const std::string& key)
    {
        return std::any_of(model.fields.begin(), model.fields.end(),
            [&](const catalog::Field& field) { return field.name == key; });
    }

    void writeOptions(const Entry& section)
    {
        for (const Entry& setting : section.value->entries)
            if (setting.key->text == "save_checkpoint_interval")
                writeInterval(setting, recipe::intAt(*section.value, "accum_grad", 1));
            else
                writeOption(setting);
    }

    /// FunASR's interval is in batches, and `accumGrad` of them make a step; Earwright's in steps.
    void writeInterval(const Entry& setting, int64_t accumGrad)
    {
        const auto batches = recipe::asInt(*setting.value);
        if (!batches || accumGrad <= 1)
            return writeOption(setting);
        const int64_t steps = std::max<int64_t>(1, *batches / accumGrad);
        m_recipe.put(runOptionOf(setting)->key->text, recipe::makeScalar(std::to_string(steps)),
            m_recipe.placeOf(setting) + ", save_checkpoint_interval, " + std::to_string(*batches)
                + " batches of which accum_grad=" + std::to_string(accumGrad) + " make a step");
    }

    void writeOption(const Entry& setting)
    {
        const std::string lost
            = "the trainer's " + inQuotes(setting.key->text) + " has no counterpart";
        if (const auto option = runOptionOf(setting))
            put(*option, setting);
        else if (const std::string words = inPlaceOf(setting); !words.empty())
            m_recipe.leaveOut(setting, lost + ": " + words);
        else if (!isUsual(setting))
            m_recipe.refuse(
                setting, insteadOf(setting).empty() ? lost : lost + ": " + insteadOf(setting));
    }

    /// What is left of the section is kept as written.
    void writeLoader(const Entry& section)
    {
        const NodePtr left = loaderKeys(*section.value).write(m_task.foreign);
        if (!left->entries.empty())
            keep({ section.key, left });
    }

    /// Where `earwright prepare` puts them. The toolkits have lists of their own.
    void writeManifests()
    {
        for (const auto& [key, other, list] :
            { std::array { "train_csv", "valid_csv", "train_data_set_list" },
                std::array { "valid_csv", "train_csv", "valid_data_set_list" } })
            if (m_recipe.has(other))
                m_recipe.put(key, tagged("!PLACEHOLDER", ""),
                    "++" + std::string(list) + "=FILE.jsonl names it");
        if (m_recipe.has("train_csv"))
            return;
        m_recipe.put("data_folder", tagged("!PLACEHOLDER", ""), "the folder of the manifests");
        m_recipe.put("train_csv", tagged("!ref", "<data_folder>/train.csv"), "");
        m_recipe.put("valid_csv", tagged("!ref", "<data_folder>/dev.csv"), "");
    }

    void put(const Entry& option, const Entry& setting)
    {
        const std::string& key = option.key->text;
        const std::string& name = setting.key->text;
        const std::string place = m_recipe.placeOf(setting);
        m_recipe.put(key, option.value, name == key ? place : place + ", " + name);
    }

    void writePlain(const Entry& entry)
    {
        if (const auto option = runOptionOf(entry))
            return m_recipe.put(option->key->text, option->value, m_recipe.placeOf(entry));
        if (entry.value->kind == recipe::Kind::Scalar)
            return m_recipe.put(entry.key->text, entry.value, m_recipe.placeOf(entry));
        keep(entry);
    }

    /// As it is, with a word that nothing reads it; what an override set in it is lost.
    void keep(const Entry& entry)
    {
        const NodePtr plain = std::make_shared<Node>(*entry.value);
        if (!recipe::nameClass(*plain).empty())
            plain->tag.clear();
        m_recipe.put(entry.key->text, plain, m_recipe.placeOf(entry) + ", as written");
        m_recipe.warn(entry, inQuotes(entry.key->text) + " is kept as written; nothing reads it");
        for (const Entry& setting : entry.value->entries)
            if (!overrideOf(setting).empty())
                m_recipe.refuse(setting,
                    inQuotes(setting.key->text) + " of " + inQuotes(entry.key->text)
                        + " has no counterpart");
    }

    void writeObject(const Entry& entry)
    {
        const NodePtr object = std::make_shared<Node>(*entry.value);
        std::vector<Entry> sizes = givenSizes(m_root, entry.key->text, *entry.value);
        for (const Entry& size : sizes)
            if (!size.value)
                m_recipe.warn(entry,
                    "the argument " + inQuotes(size.key->text) + " of " + inQuotes(entry.key->text)
                        + " is not in the configuration");
        std::erase_if(sizes, [](const Entry& size) { return !size.value; });
        object->entries.insert(object->entries.begin(), sizes.begin(), sizes.end());
        const std::string name(recipe::nameClass(*entry.value));
        object->tag = "!new:" + name;
        m_recipe.put(entry.key->text, object, m_recipe.placeOf(entry));
        if (const catalog::ClassInfo* info = catalog::findClass(name); info && info->ownsParameters)
            addModule(entry.key->text);
    }

    void addModule(const std::string& key)
    {
        m_modules->entries.push_back({ recipe::makeScalar(key), tagged("!ref", "<" + key + ">") });
    }

    /// SpeechBrain's NoamScheduler has the same curve, but takes its first step at the full rate.
    void writeSchedule(const Entry& entry)
    {
        const auto name = recipe::nameClass(*entry.value);
        const NodePtr steps = recipe::find(*entry.value, "warmup_steps");
        const bool isOneRate = !steps || steps->kind == recipe::Kind::Scalar;
        if ((name != kWarmup && name != kWeNetWarmup) || !isOneRate) {
            m_recipe.put("lr_annealing", entry.value, m_recipe.placeOf(entry));
            return m_recipe.refuse(entry,
                "the schedule " + inQuotes(name.empty() ? entry.value->text : name)
                    + " has no counterpart");
        }
        const NodePtr warmup = emptyMapping();
        warmup->tag = std::string("!new:") + kWarmup;
        if (steps)
            warmup->entries = { { recipe::makeScalar("warmup_steps"), steps } };
        m_recipe.put("lr_annealing", warmup,
            m_recipe.placeOf(entry) + (name == kWarmup ? "" : ", the same formula"));
    }

    const Node& m_root;
    const tasks::Spec& m_task;
    Toolkit m_toolkit;
    const TokenCount& m_countTokens;
    int64_t m_numRanks;
    RecipeText m_recipe;
    NodePtr m_modules = emptyMapping();
};

} // namespace

Converted convert(const NodePtr& root, Toolkit toolkit, const std::string& fileName,
    const ConvertOptions& options)
{
    const Adapted adapted = adapt(root, toolkit);
    if (const std::string why = whyUntrained(*adapted.root, toolkit); !why.empty())
        return { "",
            { { recipe::Severity::Error, "not-converted", why, recipe::find(*root, "model")->span,
                std::nullopt, {} } } };
    return Writer(adapted, toolkit, fileName, options).run();
}

} // namespace earwright::adapter
