#include "app/cli/command.h"
#include "app/cli/recipe_arguments.h"
#include "core/check/accepted_keys.h"
#include "core/engine/machine_probe.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace kymo::cli {

int runCheck(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(words, kRecipeOptions, { "--no-files" }, 1);
    if (!arguments || arguments->positional.empty())
        return usageError("check", arguments ? "which recipe?" : arguments.error().message);
    const Result<check::Request> request = requestFrom(*arguments);
    if (!request) {
        std::cerr << "kymo: " << request.error().message << "\n";
        return engine::kRecipeErrors;
    }
    const check::Findings findings = check::check(*request, engine::probeMachine());
    if (arguments->option("--format") == "json")
        std::cout << recipe::diagnosticsToJson(findings.diagnostics) << "\n";
    else
        printDiagnostics(findings.diagnostics);
    const bool bad = recipe::hasErrors(findings.diagnostics);
    if (!bad && arguments->option("--format") != "json")
        std::cout << request->fileName << ": no errors\n";
    return bad ? engine::kRecipeErrors : engine::kDone;
}

int runResolve(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(words, kRecipeOptions, {}, 1);
    if (!arguments || arguments->positional.empty())
        return usageError("resolve", arguments ? "which recipe?" : arguments.error().message);
    const Result<check::Request> request = requestFrom(*arguments);
    if (!request) {
        std::cerr << "kymo: " << request.error().message << "\n";
        return engine::kRecipeErrors;
    }
    const std::string format = arguments->option("--format").value_or("yaml");
    if (format != "yaml" && format != "json")
        return usageError("resolve", "--format is yaml or json, not '" + format + "'");
    const recipe::Resolved resolved = recipe::resolve(
        request->text, request->fileName, request->overrides, check::resolveOptions());
    printDiagnostics(resolved.diagnostics);
    if (!resolved.root || recipe::hasErrors(resolved.diagnostics))
        return engine::kRecipeErrors;
    // With the keys that begin with "__": they are part of what upstream's first pass writes.
    std::cout << (format == "json" ? recipe::emitJson(*resolved.root) + "\n"
                                   : recipe::emitYaml(*resolved.root));
    return engine::kDone;
}

} // namespace kymo::cli
