#include "app/cli/command.h"
#include "app/cli/conversion.h"
#include "app/cli/recipe_arguments.h"
#include "core/base/text.h"
#include "core/check/accepted_keys.h"
#include "core/check/coverage.h"
#include "core/check/sarif.h"
#include "core/data/recipe_data.h"
#include "core/engine/machine_probe.h"
#include "core/engine/rank_main.h"
#include "core/train/inspect_setup.h"
#include "core/train/inspect_start.h"
#include "core/train/weights/starting_recipe.h"

#include <algorithm>
#include <iostream>

namespace earwright::cli {

namespace {

/// What is to be printed of the diagnostics; the error names the formats.
Result<std::string> formatOf(const Arguments& arguments)
{
    const std::string format = arguments.option("--format").value_or("text");
    if (format != "text" && format != "json" && format != "sarif")
        return Error { "--format is text, json or sarif, not '" + format + "'" };
    return format;
}

/// `made`: a recipe that lies in no file; null: none.
void print(const std::vector<recipe::Diagnostic>& diagnostics, const std::string& format,
    const check::Request* made)
{
    if (format == "json")
        std::cout << recipe::diagnosticsToJson(diagnostics) << "\n";
    else if (format == "sarif")
        std::cout << check::diagnosticsToSarif(diagnostics, EARWRIGHT_VERSION) << "\n";
    else
        printDiagnostics(diagnostics, made);
}

/// Whether the recipe's check has said it already: the data's repeats the words of a label-index,
/// and finds no use for a manifest without a column.
bool isSaid(const recipe::Diagnostic& ofData, const std::vector<recipe::Diagnostic>& said)
{
    return std::any_of(said.begin(), said.end(), [&](const recipe::Diagnostic& one) {
        if (one.rule == "manifest-missing-column")
            return ofData.rule == "data-manifest"
                && one.message.starts_with(inQuotes(ofData.span.file));
        return one.rule == "label-index" && ofData.message.find(one.message) != std::string::npos;
    });
}

/// Those of the recipe and, where it names a task and files are looked at, of its data and start.
std::vector<recipe::Diagnostic> diagnosticsOf(
    const check::Request& request, const check::Findings& findings)
{
    std::vector<recipe::Diagnostic> diagnostics = findings.diagnostics;
    if (!request.checkFiles || findings.options.task.empty() || !findings.recipe)
        return diagnostics;
    const train::StartingRecipe starting(*findings.recipe);
    for (recipe::Diagnostic& ofData : data::inspectRecipe(*starting.recipe())) {
        ofData.message = starting.asGiven(std::move(ofData.message));
        if (!isSaid(ofData, findings.diagnostics))
            diagnostics.push_back(std::move(ofData));
    }
    if (recipe::hasErrors(findings.diagnostics))
        return diagnostics;
    const auto ofStart = train::inspectStart(*findings.recipe, findings.options);
    diagnostics.insert(diagnostics.end(), ofStart.begin(), ofStart.end());
    if (recipe::hasErrors(diagnostics))
        return diagnostics;
    plan::Plan plan;
    plan.setRecipe(findings.recipe, findings.options);
    const auto ofSetUp = train::inspectSetUp(plan);
    diagnostics.insert(diagnostics.end(), ofSetUp.begin(), ofSetUp.end());
    return diagnostics;
}

} // namespace

int runCheck(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments
        = parseRecipeWords({ "check", { "--format" }, { "--no-files", "--coverage" } }, words);
    const Result<std::string> format = arguments ? formatOf(*arguments) : arguments.error();
    if (!format)
        return usageError("check", format.error().message);
    const check::Machine machine = engine::probeMachine();
    const Result<GivenRecipe> given = givenRecipe(*arguments, machine);
    if (!given) {
        std::cerr << "earwright: " << given.error().message << "\n";
        return engine::kRecipeErrors;
    }
    check::Findings findings;
    std::vector<recipe::Diagnostic> diagnostics = given->said;
    if (!recipe::hasErrors(given->said)) {
        findings = check::check(given->request, machine);
        const auto found = diagnosticsOf(given->request, findings);
        diagnostics.insert(diagnostics.end(), found.begin(), found.end());
    }
    const bool isModel = isModelFolder(arguments->positional.front());
    print(diagnostics, *format, isModel ? &given->request : nullptr);
    const bool bad = recipe::hasErrors(diagnostics);
    if (*format == "text" && arguments->has("--coverage") && findings.recipe)
        std::cout << check::coverageTable(check::coverageOf(*findings.recipe));
    if (!bad && *format == "text")
        std::cout << arguments->positional.front() << ": no errors\n";
    return bad ? engine::kRecipeErrors : engine::kDone;
}

int runResolve(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseRecipeWords({ "resolve", { "--format" } }, words);
    if (!arguments)
        return usageError("resolve", arguments.error().message);
    const std::string format = arguments->option("--format").value_or("yaml");
    if (format != "yaml" && format != "json")
        return usageError("resolve", "--format is yaml or json, not '" + format + "'");
    const Result<GivenRecipe> given = givenRecipe(*arguments, engine::probeMachine());
    if (!given) {
        std::cerr << "earwright: " << given.error().message << "\n";
        return engine::kRecipeErrors;
    }
    const check::Request& request = given->request;
    std::vector<recipe::Diagnostic> said = given->said;
    recipe::Resolved resolved;
    if (!recipe::hasErrors(said)) {
        resolved = recipe::resolve(
            request.text, request.fileName, request.overrides, check::resolveOptions());
        said.insert(said.end(), resolved.diagnostics.begin(), resolved.diagnostics.end());
    }
    printDiagnostics(said, isModelFolder(arguments->positional.front()) ? &request : nullptr);
    if (!resolved.root || recipe::hasErrors(said))
        return engine::kRecipeErrors;
    // With the keys that begin with "__": they are part of what upstream's first pass writes.
    std::cout << (format == "json" ? recipe::emitJson(*resolved.root) + "\n"
                                   : recipe::emitYaml(*resolved.root));
    return engine::kDone;
}

} // namespace earwright::cli
