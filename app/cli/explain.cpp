#include "core/check/explain.h"
#include "app/cli/command.h"
#include "app/cli/recipe_arguments.h"
#include "core/engine/machine_probe.h"
#include "core/engine/rank_main.h"

#include <algorithm>
#include <iostream>
#include <iterator>

namespace earwright::cli {

namespace {

/// Explanations of the keys, or of everything; what is unknown is said on standard error.
std::vector<check::Explanation> explained(const check::Request& request,
    const check::Findings& findings, const std::vector<std::string>& keys, bool& isWhole)
{
    std::vector<check::Explanation> explanations;
    for (const std::string& key : keys) {
        const Result<check::Explanation> one = check::explain(request, findings, key);
        if (one)
            explanations.push_back(*one);
        else
            std::cerr << "earwright: " << one.error().message << "\n";
        isWhole = isWhole && one;
    }
    return keys.empty() ? check::explainAll(request, findings) : explanations;
}

/// The other findings may be why a key is asked about.
std::vector<recipe::Diagnostic> refusedOverrides(const check::Findings& findings)
{
    std::vector<recipe::Diagnostic> refused;
    std::copy_if(findings.diagnostics.begin(), findings.diagnostics.end(),
        std::back_inserter(refused),
        [](const recipe::Diagnostic& one) { return one.rule == "unknown-override"; });
    return refused;
}

void print(const std::vector<check::Explanation>& explanations, bool isJson, bool isTable)
{
    if (isJson)
        std::cout << check::explanationsToJson(explanations) << "\n";
    else if (isTable)
        std::cout << check::explanationTable(explanations);
    else
        for (const check::Explanation& explanation : explanations)
            std::cout << check::explanationText(explanation);
}

} // namespace

int runExplain(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseRecipeWords(
        { "explain", { "--format" }, { "--no-files" }, /*takesKeys=*/true }, words);
    if (!arguments)
        return usageError("explain", arguments.error().message);
    const std::string format = arguments->option("--format").value_or("text");
    if (format != "text" && format != "json")
        return usageError("explain", "--format is text or json, not '" + format + "'");
    const check::Machine machine = engine::probeMachine();
    Result<GivenRecipe> given = givenRecipe(*arguments, machine);
    if (!given) {
        std::cerr << "earwright: " << given.error().message << "\n";
        return engine::kRecipeErrors;
    }
    if (recipe::hasErrors(given->said)) {
        printDiagnostics(given->said);
        return engine::kRecipeErrors;
    }
    check::Request& request = given->request;
    request.checkFiles = false;
    const check::Findings findings = check::check(request, machine);
    // Of a value that an override was to change, no explanation would be true.
    const std::vector<recipe::Diagnostic> refused = refusedOverrides(findings);
    if (!findings.recipe || !refused.empty()) {
        printDiagnostics(findings.recipe ? refused : findings.diagnostics, &request);
        return engine::kRecipeErrors;
    }
    const std::vector<std::string> keys(
        arguments->positional.begin() + 1, arguments->positional.end());
    bool isWhole = true;
    const auto explanations = explained(request, findings, keys, isWhole);
    print(explanations, format == "json", keys.empty());
    return isWhole ? engine::kDone : engine::kRecipeErrors;
}

} // namespace earwright::cli
