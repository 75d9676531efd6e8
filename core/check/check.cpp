#include "core/check/check.h"

#include "core/adapter/command_keys.h"
#include "core/check/accepted_keys.h"
#include "core/check/context.h"
#include "core/check/foreign.h"
#include "core/check/inferred_search.h"
#include "core/check/inferred_task.h"
#include "core/check/options.h"
#include "core/check/rule_table.h"
#include "core/check/rules/other_procedure.h"
#include "core/check/rules/rules.h"
#include "core/recipe/limits.h"

#include <algorithm>
#include <tuple>

namespace earwright::check {

namespace {

/// Of a recipe that no task trains: what holds in upstream's own training too.
constexpr Rule kOtherProcedureRules[] = { rules::otherProcedureIn, rules::classes, rules::coverage,
    rules::shapes, rules::layerSizes, rules::unreadKeys, rules::numbers, rules::tuples };

constexpr Rule kRecipeRules[] = { rules::task, rules::ownRules, rules::classes, rules::arguments,
    rules::augmentations, rules::normalization, rules::coverage, rules::unusedModules,
    rules::shapes, rules::layerSizes, rules::effects, rules::scriptSettings, rules::parameterGroups,
    rules::frozenParameters, rules::precision, rules::distributedBackend, rules::tf32Switches,
    rules::versions, rules::gpuState, rules::unreadKeys, rules::otherTasks,
    rules::loneAugmentations, rules::numbers, rules::missingFiles, rules::pretrainedFolder,
    rules::dataSettings, rules::manifests, rules::tuples };

void sortByPlace(Diagnostics& diagnostics)
{
    std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const auto& a, const auto& b) {
        return std::tie(a.span.file, a.span.begin) < std::tie(b.span.file, b.span.begin);
    });
}

/// A copied object (`!copy`) says again what the first one says, at the same place.
void dropRepeated(Diagnostics& sorted)
{
    const auto place = [](const auto& d) { return std::tie(d.span.file, d.span.begin); };
    Diagnostics kept;
    for (recipe::Diagnostic& diagnostic : sorted) {
        auto earlier = kept.rbegin();
        while (earlier != kept.rend() && place(*earlier) == place(diagnostic)
            && (earlier->rule != diagnostic.rule || earlier->message != diagnostic.message))
            ++earlier;
        if (earlier == kept.rend() || place(*earlier) != place(diagnostic))
            kept.push_back(std::move(diagnostic));
    }
    sorted = std::move(kept);
}

/// What reads a section of another toolkit says itself which of its keys it never reads.
recipe::ResolveOptions resolveOptionsFor(std::optional<adapter::Toolkit> toolkit)
{
    recipe::ResolveOptions options = resolveOptions();
    options.keepPlaceholders = true; // the other rules go on past a placeholder
    options.keepWritten = true;
    if (toolkit)
        options.acceptedKeys = {};
    if (toolkit == adapter::Toolkit::FunAsr)
        options.addableKeys.insert(options.addableKeys.end(), adapter::commandKeys().begin(),
            adapter::commandKeys().end());
    return options;
}

void askFileRule(const Request& request, Findings& findings)
{
    if (!request.checkFiles || !request.tokenRule)
        return;
    const Diagnostics found = request.tokenRule(*findings.recipe, request.fileName);
    findings.diagnostics.insert(findings.diagnostics.end(), found.begin(), found.end());
}

/// What nobody reads to its end, and what each editor would have to place in the text.
void cut(Diagnostics& sorted)
{
    const auto most = static_cast<std::ptrdiff_t>(recipe::kMaxDiagnostics);
    if (std::ssize(sorted) <= most + 1)
        return;
    const auto rest = sorted.begin() + most;
    const auto worst = std::min_element(rest, sorted.end(),
        [](const auto& a, const auto& b) { return a.severity < b.severity; }); // errors come first
    recipe::Diagnostic last { worst->severity, "too-large",
        "there are " + std::to_string(std::ssize(sorted) - most) + " more; the first "
            + std::to_string(most) + " are listed",
        rest->span, std::nullopt };
    sorted.erase(rest, sorted.end());
    sorted.push_back(std::move(last));
}

/// What a run would be asked of is beside the point where there is none.
void tellOther(const Context& context, Findings& findings)
{
    std::erase_if(findings.diagnostics, [](const recipe::Diagnostic& diagnostic) {
        return diagnostic.rule == "device-spelling" || diagnostic.rule.starts_with("option-");
    });
    findings.options.task.clear();
    for (const Rule rule : kOtherProcedureRules)
        rule(context, findings.diagnostics);
}

Findings finished(Findings findings)
{
    dropDisabledRules(findings.diagnostics);
    sortByPlace(findings.diagnostics);
    dropRepeated(findings.diagnostics);
    cut(findings.diagnostics);
    return findings;
}

} // namespace

Findings check(const Request& request, const Machine& machine)
{
    Findings findings;
    const auto toolkit = toolkitOf(request);
    recipe::Resolved resolved = recipe::resolve(
        request.text, request.fileName, request.overrides, resolveOptionsFor(toolkit));
    findings.diagnostics = std::move(resolved.diagnostics);
    findings.recipe = resolved.root;
    findings.written = resolved.written;
    rules::fullWidth(request, findings.diagnostics);
    if (!findings.recipe || findings.recipe->kind != recipe::Kind::Mapping)
        return finished(std::move(findings));
    if (!toolkit) {
        inferTask(*findings.recipe);
        inferTestSearch(*findings.recipe);
    }
    readDevices(request, machine, findings);
    readOptions(*findings.recipe, request.fileName, findings);
    const Context context { request, machine, *findings.recipe, findings.written, findings.devices,
        findings.options };
    rules::lookAlikes(context, findings.diagnostics);
    if (toolkit) {
        checkForeign(context, *toolkit, findings.diagnostics);
    } else if (!rules::otherProcedure(*findings.recipe).empty()) {
        tellOther(context, findings);
        return finished(std::move(findings));
    } else {
        for (const Rule rule : kRecipeRules)
            rule(context, findings.diagnostics);
    }
    askFileRule(request, findings);
    return finished(std::move(findings));
}

} // namespace earwright::check
