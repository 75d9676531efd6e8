#include "core/check/rules/rules.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

#include <algorithm>

namespace earwright::check::rules {

void distributedBackend(const Context& context, Diagnostics& found)
{
    const auto isCpu = [](const std::string& device) { return device == "cpu"; };
    if (context.options.distributedBackend != "nccl"
        || !std::any_of(context.devices.begin(), context.devices.end(), isCpu))
        return;
    const recipe::NodePtr node = recipe::find(context.root, "distributed_backend");
    report(found, recipe::Severity::Error, "backend-device",
        "distributed_backend: nccl joins GPUs alone, and this run is on the CPU; write gloo",
        node ? node->span : recipe::Span {});
    if (node)
        found.back().fix = replaceScalar(*node, context.request.fileName, "gloo");
}

} // namespace earwright::check::rules
