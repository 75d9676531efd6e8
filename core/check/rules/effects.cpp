#include "core/check/rules/rules.h"
#include "core/settings/tree.h"

#include <algorithm>

namespace earwright::check::rules {

using recipe::Node;
using recipe::NodePtr;

namespace {

/// FunASR's decoders that build `att_layer_num` layers with cross-attention, and `num_blocks` -
/// `att_layer_num` without where that is positive.
constexpr std::string_view kLayeredDecoders[]
    = { "funasr.models.paraformer.decoder.ParaformerSANMDecoder",
          "funasr.models.contextual_paraformer.decoder.ContextualParaformerDecoder",
          "funasr.models.e_paraformer.decoder.ParaformerSANMDecoder",
          "funasr.models.sanm.decoder.FsmnDecoder" };

/// What a class of upstream's takes and does not read.
struct Unread {
    std::string_view name;
    std::string_view argument;
};
constexpr Unread kUnread[] = {
    { "funasr.models.sanm.encoder.SANMEncoder", "positional_dropout_rate" },
    { "funasr.models.sense_voice.model.SenseVoiceEncoderSmall", "positional_dropout_rate" },
    { "funasr.models.sense_voice.model.SenseVoiceEncoderSmall", "stochastic_depth_rate" },
    { "funasr.models.paraformer.decoder.ParaformerSANMDecoder", "positional_dropout_rate" },
    { "funasr.models.paraformer.cif_predictor.CifPredictorV2", "threshold" },
    { "funasr.models.paraformer.cif_predictor.CifPredictorV2", "dropout" },
    { "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3", "dropout" },
    { "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3", "tail_mask" },
};

int64_t numberOr(const NodePtr& given, const std::string& otherwise)
{
    const auto number = recipe::asInt(given ? *given : *recipe::makeScalar(otherwise));
    return number.value_or(0);
}

std::string defaultOf(const catalog::ClassInfo& info, const std::string& argument)
{
    for (const catalog::Field& field : info.fields)
        if (field.name == argument)
            return field.defaultText;
    return "";
}

void numBlocks(const Node& decoder, const catalog::ClassInfo& info, Diagnostics& found)
{
    const recipe::Entry* blocks = settings::findEntry(decoder, "num_blocks");
    const NodePtr layers = recipe::find(decoder, "att_layer_num");
    const int64_t built = numberOr(layers, defaultOf(info, "att_layer_num"));
    if (!blocks || numberOr(blocks->value, "") <= 0 || numberOr(blocks->value, "") >= built)
        return;
    const std::string count = std::to_string(built);
    report(found, recipe::Severity::Warning, "no-effect",
        "'num_blocks: " + blocks->value->text + "' has no effect: " + catalog::lastPart(info.name)
            + " builds 'att_layer_num' layers, " + (layers ? "" : "by default ") + count
            + ", and more only where 'num_blocks' is greater",
        blocks->key->span);
}

/// 1 and 1.0 are, True and true.
bool isSame(const Node& a, const Node& b)
{
    const auto areEqual = [](const auto& first, const auto& second) {
        return first && second && *first == *second;
    };
    return recipe::asString(a) == recipe::asString(b)
        || areEqual(recipe::asDouble(a), recipe::asDouble(b))
        || areEqual(recipe::asBool(a), recipe::asBool(b));
}

/// Of another value than the default, which upstream's own recipes write out.
void unreadArguments(const Node& layer, const catalog::ClassInfo& info, Diagnostics& found)
{
    for (const Unread& unread : kUnread) {
        const recipe::Entry* given
            = unread.name == info.name ? settings::findEntry(layer, unread.argument) : nullptr;
        const std::string argument(unread.argument);
        if (given && !isSame(*given->value, *recipe::makeScalar(defaultOf(info, argument))))
            report(found, recipe::Severity::Warning, "no-effect",
                "'" + argument + ": " + given->value->text
                    + "' has no effect: " + catalog::lastPart(info.name) + " takes '" + argument
                    + "' and does not read it",
                given->key->span);
    }
}

void stopper(const Node& counter, Diagnostics& found)
{
    report(found, recipe::Severity::Warning, "no-effect",
        "EpochCounterWithStopper stops no run of Earwright, which trains all 'limit' epochs; "
        "min_key or "
        "max_key keeps the best checkpoint",
        counter.span);
}

} // namespace

void effects(const Context& context, Diagnostics& found)
{
    settings::walk(std::make_shared<Node>(context.root), [&](const NodePtr& node) {
        const catalog::ClassInfo* info = catalog::findClass(catalog::classOf(*node));
        if (info
            && std::find(std::begin(kLayeredDecoders), std::end(kLayeredDecoders), info->name)
                != std::end(kLayeredDecoders))
            numBlocks(*node, *info, found);
        if (info)
            unreadArguments(*node, *info, found);
        if (info && info->name == "speechbrain.utils.epoch_loop.EpochCounterWithStopper")
            stopper(*node, found);
        return true;
    });
}

} // namespace earwright::check::rules
