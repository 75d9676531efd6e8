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

    /// lr * w^0.5 * min(s^-0.5, s * w^-1.5) is SpeechBrain's NoamScheduler by another name.
    void writeSchedule(const Entry& entry)
    {
        const auto name = recipe::nameClass(*entry.value);
        const NodePtr steps = recipe::find(*entry.value, "warmup_steps");
        const NodePtr rate = recipe::findPath(m_root, "optim.lr");
        if ((name != kWarmup && name != kWeNetWarmup) || !steps || !rate) {
            put("lr_annealing", entry.value, placeOf(entry));
            return refuse(entry,
                "the schedule " + inQuotes(name.empty() ? entry.value->text : name)
                    + " has no counterpart");
        }
        const NodePtr noam = std::make_shared<Node>();
        noam->kind = recipe::Kind::Mapping;
        noam->tag = "!new:speechbrain.nnet.schedulers.NoamScheduler";
        noam->entries = { { recipe::makeScalar("lr_initial"), rate },
            { recipe::makeScalar("n_warmup_steps"), steps } };
        put("noam_annealing", noam, placeOf(entry) + ", the same formula");
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
