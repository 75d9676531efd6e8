#include "core/check/rules/rules.h"
#include "core/check/tree.h"

#include <algorithm>

namespace kymo::check::rules {

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
    const recipe::Entry* blocks = findEntry(decoder, "num_blocks");
    const NodePtr layers = recipe::find(decoder, "att_layer_num");
    const int64_t built = numberOr(layers, defaultOf(info, "att_layer_num"));
    if (!blocks || numberOr(blocks->value, "") <= 0 || numberOr(blocks->value, "") >= built)
        return;
    const std::string count = std::to_string(built);
    report(found, recipe::Severity::Warning, "no-effect",
        "'num_blocks: " + blocks->value->text + "' has no effect: " + shortName(info.name)
            + " builds 'att_layer_num' layers, " + (layers ? "" : "by default ") + count
            + ", and more only where 'num_blocks' is greater",
        blocks->key->span);
}

void stopper(const Node& counter, Diagnostics& found)
{
    report(found, recipe::Severity::Warning, "no-effect",
        "EpochCounterWithStopper stops no run of Kymo, which trains all 'limit' epochs; min_key or "
        "max_key keeps the best checkpoint",
        counter.span);
}

} // namespace

void effects(const Context& context, Diagnostics& found)
{
    walk(std::make_shared<Node>(context.root), [&](const NodePtr& node) {
        const catalog::ClassInfo* info = catalog::findClass(className(*node));
        if (info
            && std::find(std::begin(kLayeredDecoders), std::end(kLayeredDecoders), info->name)
                != std::end(kLayeredDecoders))
            numBlocks(*node, *info, found);
        if (info && info->name == "speechbrain.utils.epoch_loop.EpochCounterWithStopper")
            stopper(*node, found);
        return true;
    });
}

} // namespace kymo::check::rules
