#include "core/base/text.h"
#include "core/check/rules/rules.h"
#include "core/recipe/value_at.h"
#include "core/settings/data_settings.h"
#include "core/settings/hub_model.h"
#include "core/settings/hub_source.h"
#include "core/settings/tree.h"

namespace earwright::check::rules {

using recipe::NodePtr;
using recipe::Severity;

namespace {

void rateOfModel(const Context& context, const std::string& key, const settings::HubModel& model,
    const recipe::Span& source, Diagnostics& found)
{
    const int read = context.settings.features.sampleRateHz;
    const NodePtr given = recipe::find(context.root, "sample_rate");
    if (read != model.sampleRateHz)
        report(found, Severity::Warning, "pretrained-folder",
            "audio is read at " + std::to_string(read) + " Hz, and " + inQuotes(key)
                + " was trained at " + std::to_string(model.sampleRateHz) + " Hz"
                + (model.rateFile.empty() ? "" : " (" + model.rateFile + ")")
                + ": it hears other sounds; write sample_rate: "
                + std::to_string(model.sampleRateHz),
            given ? given->span : source);
}

/// Nobody knows what a model was trained with, and many config.json hold the class's default.
void layersLeftOut(const std::string& key, const std::string& member, double share, bool isNamed,
    const recipe::Span& source, Diagnostics& found)
{
    if (share <= 0)
        return;
    report(found, Severity::Warning, "pretrained-folder",
        "config.json of " + inQuotes(key) + (isNamed ? " has " : " has, as it names none, ")
            + member + " " + formatNumber(share)
            + ": each step leaves layers out at random, and a model that was not pretrained so "
              "hardly learns; write \""
            + member + "\": 0.0 there to train all layers",
        source);
}

/// Of a Whisper those of the encoder and of the decoder, where they are trained.
void layersOfWhisper(const Context& context, const recipe::Node& object,
    const settings::HubModel& model, const recipe::Span& source, Diagnostics& found)
{
    const auto isTrue
        = [&](const char* argument) { return recipe::boolAt(object, argument, false); };
    const bool hasDecoder = settings::whisperModel(context.root) != nullptr;
    if (!settings::isFrozenEncoder(object))
        layersLeftOut(
            settings::kWhisper, "encoder_layerdrop", model.layerdrop, true, source, found);
    if (hasDecoder && !isTrue("freeze"))
        layersLeftOut(
            settings::kWhisper, "decoder_layerdrop", model.decoderLayerdrop, true, source, found);
}

} // namespace

void pretrainedFolder(const Context& context, Diagnostics& found)
{
    const settings::PretrainedObject encoder = settings::pretrainedObject(context.root);
    const NodePtr source = encoder.object ? recipe::find(*encoder.object, "source") : nullptr;
    if (!context.request.checkFiles || !source || settings::plainText(source).empty())
        return;
    const auto folder = settings::findHubFolder(settings::plainText(source),
        settings::plainText(recipe::find(*encoder.object, "save_path")));
    if (const Status right = folder ? settings::checkNoRun(*folder) : Done {}; !right) {
        report(found, Severity::Error, "pretrained-folder",
            "'source' of " + inQuotes(encoder.key) + ": " + right.error().message, source->span);
        return;
    }
    const auto model = folder ? settings::readHubModel(*folder) : folder.error();
    if (!model) // missingFiles() and the set-up say why
        return;
    rateOfModel(context, encoder.key, *model, source->span, found);
    if (settings::isWhisper(*encoder.object))
        layersOfWhisper(context, *encoder.object, *model, source->span, found);
    else if (!settings::isFrozenEncoder(*encoder.object))
        layersLeftOut(
            encoder.key, "layerdrop", model->layerdrop, model->namesLayerdrop, source->span, found);
}

} // namespace earwright::check::rules
