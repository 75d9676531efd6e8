#include "core/tasks/ctc/downsampling.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/catalog/given.h"
#include "core/recipe/value_at.h"
#include "core/settings/hub_source.h"
#include "core/settings/layer_keys.h"
#include "core/settings/own_encoder.h"
#include "core/settings/tree.h"
#include "core/tasks/speech.h"

namespace earwright::tasks::ctc {

namespace {

using recipe::Severity;
using settings::report;

constexpr const char* kUpsampling = "upsampling";

/// Whether the scripts of its encoder read these keys: those of Whisper's do not.
bool hearsWaves(const recipe::Node& root)
{
    return settings::findLayer(root, settings::kLatentExtractor)
        || (settings::pretrainedEncoder(root)
            && settings::pretrainedObject(root).key == settings::kPretrainedEncoder);
}

/// What gives samples of samples: the one class beside these takes features.
bool takesWaves(const recipe::Node& layer)
{
    const std::string_view name = catalog::classOf(layer);
    return catalog::lastPart(name) != "ConcatDownsampler";
}

/// No gradient passes a frozen encoder, upstream neither.
void ofGradient(const recipe::Node& root, const recipe::Entry& entry, settings::Diagnostics& found)
{
    const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(*entry.value));
    const settings::PretrainedObject encoder = settings::pretrainedObject(root);
    if (info && info->ownsParameters && encoder.object && !encoder.isAdapted
        && settings::isFrozenEncoder(*encoder.object))
        report(found, Severity::Warning, "no-effect",
            "'downsampler' keeps the filter that it begins with: in SpeechBrain too no gradient "
            "passes a frozen encoder; freeze: False of "
                + inQuotes(encoder.key) + " trains both",
            entry.key->span);
}

void ofLayer(const recipe::Node& root, settings::Diagnostics& found)
{
    const recipe::Entry* entry = settings::findLayerEntry(root, kDownsampler);
    if (!entry || recipe::isNull(*entry->value))
        return;
    const recipe::NodePtr modules = recipe::find(root, "modules");
    const recipe::NodePtr listed = modules ? recipe::find(*modules, kDownsampler) : nullptr;
    if (!listed)
        report(found, Severity::Error, "option-conflict",
            "'downsampler' is not in 'modules', and SpeechBrain's scripts run it from there alone: "
            "list it there, or take it out",
            entry->key->span);
    if (!hearsWaves(root))
        report(found, Severity::Error, "option-conflict",
            "'downsampler' works on the waves that 'wav2vec2' is given, and the recipe has no such "
            "encoder: take it out",
            entry->key->span);
    else if (!takesWaves(*entry->value))
        report(found, Severity::Error, "argument-range",
            "'downsampler' is given waves, and ConcatDownsampler takes features: use "
            "SignalDownsampler, Conv1DDownsampler or PoolingDownsampler",
            entry->value->span);
    ofGradient(root, *entry, found);
}

/// Upstream cuts each frame's outputs into as many of `output_neurons`.
void ofUpsampling(const recipe::Node& root, settings::Diagnostics& found)
{
    const recipe::Entry* entry = settings::findEntry(root, kUpsampling);
    if (!entry || !recipe::asBool(*entry->value).value_or(false))
        return;
    if (!hearsWaves(root)) {
        report(found, Severity::Error, "option-conflict",
            "'upsampling' cuts the outputs of CTC on 'wav2vec2' into several frames, and the "
            "recipe has no such encoder: take it out",
            entry->key->span);
        return;
    }
    const int64_t classes = recipe::intAt(root, "output_neurons", 0);
    const recipe::Entry* linear = ctcOutput(root);
    const int64_t outputs = linear ? catalog::Given(*linear->value).integer("n_neurons") : 0;
    if (classes < 1)
        report(found, Severity::Error, "task-missing",
            "'upsampling' needs 'output_neurons', the classes of a frame", entry->key->span);
    else if (outputs > 0 && outputs % classes != 0)
        report(found, Severity::Error, "shape-multiple",
            "'n_neurons' of " + inQuotes(linear->key->text)
                + " must be a multiple of 'output_neurons' with 'upsampling', and "
                + std::to_string(outputs) + " is none of " + std::to_string(classes),
            linear->value->span);
}

} // namespace

void downsamplingRules(const Checked& recipe, settings::Diagnostics& found)
{
    ofLayer(recipe.root, found);
    ofUpsampling(recipe.root, found);
}

} // namespace earwright::tasks::ctc
