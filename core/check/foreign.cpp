#include "core/check/foreign.h"

#include "core/adapter/adapt.h"
#include "core/adapter/untrained.h"
#include "core/check/rules/rules.h"
#include "core/recipe/parse.h"

namespace earwright::check {

using recipe::NodePtr;

namespace {

constexpr Rule kForeignRules[] = { rules::classes, rules::arguments, rules::shapes,
    rules::layerSizes, rules::effects, rules::precision, rules::tf32Switches, rules::versions };

void sayWhose(const Context& context, adapter::Toolkit toolkit, Diagnostics& found)
{
    const char* const extent = toolkit == adapter::Toolkit::Espnet
        ? ": its classes are not known, its options and references are checked"
        : ": its arguments are checked; 'earwright convert' writes it as a recipe";
    report(found, recipe::Severity::Info, "foreign-configuration",
        std::string("this is a configuration of ") + adapter::nameOf(toolkit) + extent,
        context.root.entries.front().key->span);
}

} // namespace

std::optional<adapter::Toolkit> toolkitOf(const Request& request)
{
    // Most texts are recipes: they are not parsed twice.
    if (request.text.find("_conf:") == std::string::npos)
        return std::nullopt;
    const NodePtr root = recipe::parse(request.text, request.fileName).root;
    return root ? adapter::toolkitOf(*root) : std::nullopt;
}

void checkForeign(const Context& written, adapter::Toolkit toolkit, Diagnostics& found)
{
    const adapter::Adapted adapted
        = adapter::adapt(std::make_shared<recipe::Node>(written.root), toolkit);
    found.insert(found.end(), adapted.diagnostics.begin(), adapted.diagnostics.end());
    const Context context { written.request, written.machine, *adapted.root, written.written,
        written.devices, written.options };
    for (const Rule rule : kForeignRules)
        rule(context, found);
    // FunASR's OmegaConf reads 1e-4 as a number, as HyperPyYAML does.
    if (toolkit != adapter::Toolkit::FunAsr)
        rules::numbers(written, found);
    if (const std::string why = adapter::whyUntrained(*adapted.root, toolkit); !why.empty())
        report(found, recipe::Severity::Error, "foreign-configuration", why,
            recipe::find(written.root, "model")->span);
    else
        sayWhose(context, toolkit, found);
}

} // namespace earwright::check
