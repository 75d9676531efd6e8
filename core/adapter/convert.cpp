#include "core/adapter/convert.h"

#include "core/adapter/adapt.h"
#include "core/adapter/given_sizes.h"
#include "core/adapter/train_options.h"
#include "core/base/text.h"
#include "core/catalog/catalog.h"
#include "core/recipe/resolve.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace kymo::adapter {

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

std::string taskOf(const Node& root)
{
    const NodePtr model = recipe::find(root, "model");
    const std::string name = model ? std::string(recipe::nameClass(*model)) : "";
    if (name.ends_with(".SeacoParaformer"))
        return "seaco_paraformer";
    return name.ends_with(".Paraformer") || name.ends_with(".BiCifParaformer") ? "paraformer"
                                                                               : "ctc_attention";
}

class Writer final {
public:
    Writer(Adapted adapted, Toolkit toolkit, const std::string& fileName)
        : m_root(*adapted.root)
        , m_toolkit(toolkit)
        , m_file(std::filesystem::path(fileName).filename().string())
    {
        m_converted.diagnostics = std::move(adapted.diagnostics);
        m_converted.text = "# Written by 'kymo convert' from " + m_file + ", a configuration of "
            + nameOf(toolkit) + ".\n";
        put("task", recipe::makeScalar(taskOf(m_root)), "");
    }

    Converted run()
    {
        for (const Entry& entry : m_root.entries)
            write(entry);
        if (m_toolkit == Toolkit::FunAsr)
            writeUsual();
        if (m_converted.text.find("!ref <vocab_size>") != std::string::npos) {
            put("vocab_size", recipe::makeScalar("-1"), "the number of lines of the token list");
            refuse(m_root.entries.front(),
                "the number of tokens is not in the configuration; set 'vocab_size'");
        }
        put("modules", m_modules, "what has parameters");
        return std::move(m_converted);
    }

private:
    void write(const Entry& entry)
    {
        const std::string& key = entry.key->text;
        if (key == "model" || key == "model_conf")
            return writeModel(*entry.value);
        if (key == "train_conf")
            return writeOptions(entry);
        if (hasCtcLoss() && key == "ctc_conf")
            return writeCtc(entry);
        if (hasCtcLoss() && key == "ctc")
            return; // upstream has one class, whatever stands here
        if (key == "optim")
            return put("opt_class", entry.value, placeOf(entry));
        if (key == "scheduler")
            return writeSchedule(entry);
        if (recipe::nameClass(*entry.value).empty())
            return writePlain(entry);
        if (recipe::nameClass(*entry.value).starts_with("funasr.sections."))
            return keep(entry);
        writeObject(entry);
    }

    void writeModel(const Node& settings)
    {
        const catalog::ClassInfo* model = catalog::findClass(recipe::nameClass(settings));
        for (const Entry& entry : settings.entries) {
            if (model && model->ignoresOthers && !reads(*model, entry.key->text))
                refuse(entry, inQuotes(entry.key->text) + " is left out: the model never reads it");
            else
                put(entry.key->text, entry.value, placeOf(entry));
        }
    }

    /// Never of seaco_paraformer: upstream builds its CTC, but takes no loss of it.
    bool hasCtcLoss() const
    {
        const NodePtr weight = recipe::findPath(m_root, "model.ctc_weight");
        return m_toolkit == Toolkit::FunAsr && taskOf(m_root) == "paraformer"
            && (!weight || recipe::asDouble(*weight) != 0);
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

    /// Defaults that are others than Kymo's. What was given is written before, and stays.
    void writeUsual()
    {
        if (hasCtcLoss() && !m_written.contains("ctc_weight"))
            put("ctc_weight", recipe::makeScalar(kUsualCtcWeight), "not given: FunASR's default");
        if (hasCtcLoss() && !m_written.contains("ctc"))
            writeCtc({ recipe::find(m_root, "model"), emptyMapping() });
        put("max_grad_norm", recipe::makeScalar(kUsualGradClip),
            "grad_clip is not given: FunASR's default");
    }

    static bool reads(const catalog::ClassInfo& model, const std::string& key)
    {
        return std::any_of(model.fields.begin(), model.fields.end(),
            [&](const catalog::Field& field) { return field.name == key; });
    }

    void writeOptions(const Entry& section)
    {
        for (const Entry& setting : section.value->entries)
            writeOption(setting);
    }

    void writeOption(const Entry& setting)
    {
        if (const auto option = runOptionOf(setting))
            put(option->key->text, option->value, placeOf(setting) + ", " + setting.key->text);
        else if (!isSwitchedOff(setting))
            refuse(setting, "the trainer's " + inQuotes(setting.key->text) + " has no counterpart");
    }

    void writePlain(const Entry& entry)
    {
        if (const auto option = runOptionOf(entry))
            return put(option->key->text, option->value, placeOf(entry));
        if (entry.value->kind == recipe::Kind::Scalar)
            return put(entry.key->text, entry.value, placeOf(entry));
        keep(entry);
    }

    /// As it is, with a word that nothing reads it.
    void keep(const Entry& entry)
    {
        const NodePtr plain = std::make_shared<Node>(*entry.value);
        if (!recipe::nameClass(*plain).empty())
            plain->tag.clear();
        put(entry.key->text, plain, placeOf(entry) + ", as written");
        refuse(entry, inQuotes(entry.key->text) + " is kept as written; nothing reads it");
    }

    void writeObject(const Entry& entry)
    {
        const NodePtr object = std::make_shared<Node>(*entry.value);
        std::vector<Entry> sizes = givenSizes(m_root, entry.key->text, *entry.value);
        for (const Entry& size : sizes)
            if (!size.value)
                refuse(entry,
                    "the argument " + inQuotes(size.key->text) + " of " + inQuotes(entry.key->text)
                        + " is not in the configuration");
        std::erase_if(sizes, [](const Entry& size) { return !size.value; });
        object->entries.insert(object->entries.begin(), sizes.begin(), sizes.end());
        const std::string name(recipe::nameClass(*entry.value));
        object->tag = "!new:" + name;
        put(entry.key->text, object, placeOf(entry));
        if (const catalog::ClassInfo* info = catalog::findClass(name);
            info && info->ownsParameters) {
            const NodePtr reference = recipe::makeScalar("<" + entry.key->text + ">");
            reference->tag = "!ref";
            m_modules->entries.push_back({ recipe::makeScalar(entry.key->text), reference });
        }
    }

    /// SpeechBrain's NoamScheduler has the same curve, but takes its first step at the full rate.
    void writeSchedule(const Entry& entry)
    {
        const auto name = recipe::nameClass(*entry.value);
        const NodePtr steps = recipe::find(*entry.value, "warmup_steps");
        const bool isOneRate = !steps || steps->kind == recipe::Kind::Scalar;
        if ((name != kWarmup && name != kWeNetWarmup) || !isOneRate) {
            put("lr_annealing", entry.value, placeOf(entry));
            return refuse(entry,
                "the schedule " + inQuotes(name.empty() ? entry.value->text : name)
                    + " has no counterpart");
        }
        const NodePtr warmup = emptyMapping();
        warmup->tag = std::string("!new:") + kWarmup;
        if (steps)
            warmup->entries = { { recipe::makeScalar("warmup_steps"), steps } };
        put("lr_annealing", warmup, placeOf(entry) + (name == kWarmup ? "" : ", the same formula"));
    }

    /// One key of the recipe below a comment. The first to set a key keeps it.
    void put(const std::string& key, const NodePtr& value, const std::string& comment)
    {
        if (!m_written.insert(key).second)
            return;
        Node one;
        one.kind = recipe::Kind::Mapping;
        one.entries = { { recipe::makeScalar(key), value } };
        std::string text = recipe::emitYaml(one);
        while (text.ends_with('\n'))
            text.pop_back();
        m_converted.text += "\n" + (comment.empty() ? "" : "# " + comment + "\n") + text + "\n";
    }

    std::string placeOf(const Entry& entry) const
    {
        return m_file + ":" + std::to_string(entry.key->span.begin.line);
    }

    void refuse(const Entry& entry, std::string message)
    {
        m_converted.diagnostics.push_back({ recipe::Severity::Warning, "not-converted",
            std::move(message), entry.key->span, std::nullopt, {} });
    }

    const Node& m_root;
    Toolkit m_toolkit;
    std::string m_file;
    std::set<std::string> m_written;
    NodePtr m_modules = emptyMapping();
    Converted m_converted;

    static NodePtr emptyMapping()
    {
        const NodePtr node = std::make_shared<Node>();
        node->kind = recipe::Kind::Mapping;
        return node;
    }
};

} // namespace

Converted convert(const NodePtr& root, Toolkit toolkit, const std::string& fileName)
{
    const Adapted adapted = adapt(root, toolkit);
    return Writer(adapted, toolkit, fileName).run();
}

} // namespace kymo::adapter
