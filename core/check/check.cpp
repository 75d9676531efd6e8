#include "core/check/check.h"

#include "core/base/text.h"
#include "core/check/accepted_keys.h"
#include "core/check/context.h"
#include "core/check/options.h"
#include "core/check/rules/rules.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

#include <algorithm>
#include <tuple>

namespace kymo::check {

using recipe::NodePtr;
using recipe::Severity;

namespace {

constexpr Rule kRules[] = { rules::task, rules::classes, rules::arguments, rules::coverage,
    rules::shapes, rules::precision, rules::manifests };

/// Upstream reads lower case only: Kymo understands `CUDA:0`, but the recipe would not run there.
void spelling(const recipe::Node& node, const std::string& fileName, Diagnostics& found)
{
    const std::string lower = toLower(node.text);
    if (lower == node.text)
        return;
    report(found, Severity::Warning, "device-spelling",
        "device '" + node.text + "' is read as '" + lower
            + "'; SpeechBrain accepts lower case only",
        node.span)
        .fix
        = replaceScalar(node, fileName, lower);
}

std::string likelyDevice(const std::string& text, size_t gpuCount)
{
    const std::string word = toLower(text);
    if (gpuCount == 0)
        return "cpu";
    return word == "gpu" || word == "nvidia" || word.starts_with("cuda") ? "cuda" : "";
}

/// The option wins over the recipe's key `device`; 'auto' leaves it to the recipe.
void readDevices(const Request& request, const Machine& machine, Findings& findings)
{
    NodePtr node = recipe::find(*findings.recipe, "device");
    if (request.devices != "auto" || plainText(node).empty())
        node = nullptr;
    const std::string text = node ? node->text : request.devices;
    const auto devices = parseDevices(text, static_cast<int>(machine.gpus.size()));
    Provenance provenance
        = provenanceOf("devices", node ? toLower(text) : text, node.get(), "engine");
    if (!node && request.devices != "auto") {
        provenance.source = "option";
        provenance.place = "--devices=" + text;
    }
    findings.provenance.push_back(provenance);
    if (devices) {
        findings.devices = *devices;
        if (node)
            spelling(*node, request.fileName, findings.diagnostics);
        return;
    }
    auto& diagnostic = report(findings.diagnostics, Severity::Error, "device-spelling",
        devices.error().message, node ? node->span : recipe::Span { request.fileName, {}, {} });
    if (const auto likely = likelyDevice(text, machine.gpus.size()); node && !likely.empty())
        diagnostic.fix = replaceScalar(*node, request.fileName, likely);
}

void sortByPlace(Diagnostics& diagnostics)
{
    std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const auto& a, const auto& b) {
        return std::tie(a.span.file, a.span.begin) < std::tie(b.span.file, b.span.begin);
    });
}

} // namespace

Findings check(const Request& request, const Machine& machine)
{
    Findings findings;
    recipe::ResolveOptions options = resolveOptions();
    options.keepPlaceholders = true; // the other rules go on past a placeholder
    recipe::Resolved resolved
        = recipe::resolve(request.text, request.fileName, request.overrides, options);
    findings.diagnostics = std::move(resolved.diagnostics);
    findings.recipe = resolved.root;
    if (!findings.recipe || findings.recipe->kind != recipe::Kind::Mapping)
        return findings;
    readDevices(request, machine, findings);
    readOptions(*findings.recipe, request.fileName, findings);
    const Context context { request, machine, *findings.recipe, findings.devices,
        findings.options };
    for (const Rule rule : kRules)
        rule(context, findings.diagnostics);
    sortByPlace(findings.diagnostics);
    return findings;
}

} // namespace kymo::check
