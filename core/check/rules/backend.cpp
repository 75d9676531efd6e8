#include "core/check/rules/rules.h"
#include "core/settings/option_paths.h"
#include "core/settings/text_fix.h"

namespace earwright::check::rules {

void distributedBackend(const Context& context, Diagnostics& found)
{
    const recipe::NodePtr node = settings::findOption(context.root, "distributed_backend");
    const bool joinsCpus = context.devices.size() > 1 && context.devices.front() == "cpu";
    if (!node || context.options.distributedBackend != "nccl" || !joinsCpus)
        return;
    report(found, recipe::Severity::Error, "backend-device",
        "distributed_backend: nccl needs GPUs, and this run is on the CPU; write gloo", node->span)
        .fix
        = settings::replaceScalar(*node, context.request.fileName, "gloo");
}

} // namespace earwright::check::rules
