#include "core/check/rules/other_procedure.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/check/rules/rules.h"
#include "core/recipe/value_at.h"
#include "core/settings/hub_source.h"
#include "core/settings/layer_keys.h"
#include "core/settings/manifest_keys.h"
#include "core/settings/own_encoder.h"
#include "core/settings/tree.h"
#include "core/tasks/spec.h"

#include <algorithm>

namespace earwright::check::rules {

using recipe::Entry;
using recipe::Node;
using recipe::NodePtr;
using recipe::Severity;

namespace {

constexpr std::string_view kOwnWav2Vec = "speechbrain.lobes.models.wav2vec.";

/// What a class stands for, by a part of its name.
struct ClassSign {
    std::string_view part;
    const char* procedure;
    bool isModel = false; ///< counts among `modules` alone
    bool isDecisive = isModel; ///< counts where the recipe names its task too
};

constexpr ClassSign kSigns[] = {
    { ".Transducer_joint", "a transducer", false, true },
    { ".transducer_loss", "a transducer", false, true },
    { ".AttentionalRNNDecoder", "an attention decoder of RNNs", false, true },
    { ".RescorerBuilder", "the rescoring of n-best lists by a neural language model" },
    { ".dual_path.", "speech enhancement by SepFormer" },
    { ".get_si_snr_with_pitwrapper", "speech enhancement by SepFormer" },
    { ".huggingface.llama.", "a speech language model", true },
    { kOwnWav2Vec, "the pretraining of wav2vec 2.0", true },
    { "speechbrain.lobes.models.fairseq_wav2vec.", "a pretrained encoder of fairseq", true },
};

/// Where upstream keeps, and kept, what it wraps of Hugging Face's transformers.
constexpr std::string_view kHuggingFace[] = { "speechbrain.integrations.huggingface.",
    "speechbrain.lobes.models.huggingface_transformers." };

bool runsPretrained(const tasks::Spec& task, const std::string& key)
{
    const Names& layers = task.layerKeys;
    return std::find(layers.begin(), layers.end(), key) != layers.end();
}

/// Whether the task that the recipe names runs layers under this key; else, whether all do that it
/// may be for.
bool isRunKey(const Node& root, const std::string& key)
{
    const tasks::Spec* named = tasks::of(root);
    const std::vector<tasks::Likely> likely = tasks::likely(root);
    return named ? runsPretrained(*named, key)
                 : std::all_of(likely.begin(), likely.end(),
                     [&](const tasks::Likely& one) { return runsPretrained(*one.task, key); });
}

/// Why no task runs a pretrained model that Earwright has; "" where one does.
std::string whyNotRun(const Node& root, const Entry& entry)
{
    const settings::PretrainedObject pretrained = settings::pretrainedObject(root);
    const bool isWhisper = settings::isWhisper(*entry.value);
    const std::string key = isWhisper ? settings::kWhisper : settings::kPretrainedEncoder;
    if (pretrained.object != entry.value || (isWhisper && pretrained.key != key))
        return " under another key than " + inQuotes(key);
    return isRunKey(root, pretrained.key) ? "" : " in front of a decoder";
}

/// "" of any other class, and of what a task runs.
std::string ofHuggingFace(const Node& root, const Entry& entry, std::string_view name)
{
    if (std::none_of(std::begin(kHuggingFace), std::end(kHuggingFace),
            [&](std::string_view folder) { return name.starts_with(folder); }))
        return "";
    const std::string last = catalog::lastPart(name);
    if (const catalog::ClassInfo* info = catalog::findClass(name); info && info->trainable) {
        const std::string why = whyNotRun(root, entry);
        const bool isWhisper = settings::isWhisper(*entry.value);
        return why.empty() ? ""
            : isWhisper    ? last + why
                           : "a pretrained encoder (" + last + ")" + why;
    }
    return "a pretrained encoder (" + last + ")";
}

/// The layers of SpeechBrain's own wav2vec 2.0; "" of any other class, and of what a task runs.
std::string ofOwnWav2Vec(const Node& root, const Entry& entry, const catalog::ClassInfo& info)
{
    if (!info.trainable || !info.name.starts_with(kOwnWav2Vec))
        return "";
    const std::string key = info.name.ends_with(".EncoderWrapper") ? settings::kLatentEncoder
                                                                   : settings::kLatentExtractor;
    const std::string name = "SpeechBrain's own wav2vec 2.0";
    if (settings::findLayer(root, key) != entry.value)
        return name + " under another key than " + inQuotes(key);
    return isRunKey(root, key) ? "" : name + " in front of a decoder";
}

/// Whether the layers of a recipe have it among them.
bool isAmongLayers(const Node& root, const Entry& entry)
{
    const NodePtr modules = recipe::find(root, "modules");
    return !modules || recipe::isNull(*modules)
        || settings::reachableFrom(modules).contains(entry.value.get());
}

std::string procedureOf(const Node& root, const Entry& entry)
{
    const std::string_view name = catalog::classOf(*entry.value);
    const catalog::ClassInfo* info = catalog::findClass(name);
    const bool namesTask = tasks::of(root) != nullptr;
    if (entry.key->text == "task" && settings::isOfMedia(root)
        && settings::plainText(entry.value) == "slu")
        return "the understanding of speech by tags of concepts";
    for (const ClassSign& sign : kSigns)
        if (name.find(sign.part) != std::string_view::npos && !(info && info->trainable))
            return (sign.isDecisive || !namesTask) && (!sign.isModel || isAmongLayers(root, entry))
                ? sign.procedure
                : "";
    const std::string own = info ? ofOwnWav2Vec(root, entry, *info) : "";
    const std::string pretrained = own.empty() ? ofHuggingFace(root, entry, name) : own;
    return pretrained.empty() || isAmongLayers(root, entry) ? pretrained : "";
}

} // namespace

std::vector<OtherPart> otherProcedure(const Node& root)
{
    std::vector<OtherPart> parts;
    for (const Entry& entry : root.entries) {
        const std::string procedure = procedureOf(root, entry);
        const bool isTold = std::any_of(parts.begin(), parts.end(),
            [&](const OtherPart& part) { return part.procedure == procedure; });
        if (!procedure.empty() && !isTold)
            parts.push_back({ &entry, procedure });
    }
    return parts;
}

void otherProcedureIn(const Context& context, Diagnostics& found)
{
    const std::vector<OtherPart> parts = otherProcedure(context.root);
    std::vector<std::string> belongings;
    for (const OtherPart& part : parts)
        belongings.push_back(inQuotes(part.entry->key->text)
            + (belongings.empty() ? " belongs to " : " to ") + part.procedure);
    if (!parts.empty())
        report(found, Severity::Error, "class-not-supported",
            join(belongings, " and ") + ", which Earwright does not train; it trains "
                + join(tasks::names(), ", "),
            parts.front().entry->key->span);
}

} // namespace earwright::check::rules
