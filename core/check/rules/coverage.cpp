#include "core/check/coverage.h"

#include "core/check/rules/rules.h"
#include "core/check/text_fix.h"
#include "core/check/tree.h"

#include <algorithm>

namespace kymo::check::rules {

using recipe::Severity;

namespace {

std::string named(const Coverage& row)
{
    return "'" + row.key + "' (" + row.className + ")";
}

recipe::Span placeOf(const Context& context, const Coverage& row)
{
    return findEntry(context.root, row.key)->key->span;
}

std::optional<recipe::Fix> addTo(const Context& context, const char* path, const std::string& key)
{
    const recipe::NodePtr mapping = recipe::findPath(context.root, path);
    if (!mapping)
        return {};
    auto fix = addEntry(
        *mapping, context.request.text, context.request.fileName, key + ": !ref <" + key + ">");
    if (fix)
        fix->title = "Add '" + key + "' to '" + path + "'";
    return fix;
}

void notInModules(const Context& context, const Coverage& row, Diagnostics& found)
{
    if (row.isEvaluationOnly) {
        report(found, Severity::Info, "coverage-evaluation-only",
            named(row) + " is not in 'modules': it is loaded for evaluation only and not trained",
            placeOf(context, row));
        return;
    }
    std::string message = named(row)
        + " is not reachable from 'modules': " + (row.isKnown ? "" : "if it has parameters, ")
        + "it would stay on the CPU and not be trained";
    if (!row.moduleList.empty())
        message += "; the ModuleList '" + row.moduleList
            + "' holds it, but outside 'modules' a ModuleList moves nothing to the device";
    const Severity severity = row.isKnown ? Severity::Error : Severity::Warning;
    report(found, severity, "coverage-not-in-modules", message, placeOf(context, row)).fix
        = addTo(context, "modules", row.key);
}

void notCheckpointed(const Context& context, const Coverage& row, Diagnostics& found)
{
    report(found, Severity::Warning, "coverage-not-checkpointed",
        named(row)
            + " is trained but not reachable from 'checkpointer.recoverables': no checkpoint "
              "would hold it",
        placeOf(context, row))
        .fix
        = addTo(context, "checkpointer.recoverables", row.key);
}

/// A reference below `modules` that leads nowhere: what is missing there is unknown until it is
/// mended.
bool isBroken(const recipe::Node& modules, const Diagnostics& found)
{
    return std::any_of(found.begin(), found.end(), [&](const recipe::Diagnostic& diagnostic) {
        return diagnostic.rule == "unknown-reference" && diagnostic.span.file == modules.span.file
            && diagnostic.span.begin >= modules.span.begin
            && diagnostic.span.begin < modules.span.end;
    });
}

} // namespace

void coverage(const Context& context, Diagnostics& found)
{
    // Without `modules` there is no training to cover (a tokenizer, a language model to be loaded).
    const recipe::NodePtr modules = recipe::find(context.root, "modules");
    if (!modules || isBroken(*modules, found))
        return;
    const bool hasRecoverables
        = recipe::findPath(context.root, "checkpointer.recoverables") != nullptr;
    for (const Coverage& row : coverageOf(context.root)) {
        if (!row.isMoved)
            notInModules(context, row, found);
        else if (hasRecoverables && !row.isCheckpointed && !row.isEvaluationOnly)
            notCheckpointed(context, row, found);
    }
}

} // namespace kymo::check::rules
