#include "core/catalog/configs/features.h"
#include "core/catalog/read.h"
#include "core/check/rules/rules.h"
#include "core/settings/layer_keys.h"
#include "core/settings/pretrainer.h"
#include "core/settings/text_fix.h"
#include "core/tasks/spec.h"

#include <algorithm>

namespace earwright::check::rules {

namespace {

constexpr const char* kClass = "speechbrain.processing.features.InputNormalization";

/// Its statistics come from a file.
bool isLoaded(const Context& context)
{
    const auto loaded = settings::loadedLayers(
        context.root, tasks::layerKeys(context.options.task, context.root));
    return std::any_of(loaded.begin(), loaded.end(), [](const settings::LoadedLayer& layer) {
        return recipe::newClass(*layer.object) == kClass;
    });
}

} // namespace

/// Epochs count from 1: until epoch 1 no batch is learnt from. Upstream raises an error at the
/// first one. Whether weights that the training starts from have statistics is known when they are
/// read.
void normalization(const Context& context, Diagnostics& found)
{
    const recipe::NodePtr node = settings::inputNormalization(context.root);
    if (!node || recipe::newClass(*node) != kClass || !context.options.initParam.empty()
        || isLoaded(context))
        return;
    Diagnostics saidByOthers;
    const auto config = catalog::readConfig<catalog::InputNormalizationConfig>(*node, saidByOthers);
    const recipe::NodePtr end = recipe::find(*node, "update_until_epoch");
    if (config.normType != "global" || config.updateUntilEpoch != 1 || !end)
        return;
    auto& diagnostic = report(found, recipe::Severity::Error, "argument-range",
        "'update_until_epoch' of InputNormalization must be at least 2, null or 0, not 1, by which "
        "no statistics are ever learnt, unless init_param names weights that have some",
        end->span);
    diagnostic.fix = settings::replaceScalar(*end, context.request.fileName, "2");
}

} // namespace earwright::check::rules
