#include "core/adapter/convert.h"
#include "app/cli/command.h"
#include "app/cli/recipe_arguments.h"
#include "core/base/file.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace kymo::cli {

namespace {

/// Prints the recipe, or writes it where `--out` says.
int write(const Arguments& arguments, const adapter::Converted& converted)
{
    const auto out = arguments.option("--out");
    if (!out) {
        std::cout << converted.text;
        return engine::kDone;
    }
    if (const Status status = writeFileAtomically(*out, converted.text); !status) {
        std::cerr << "kymo: " << status.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cerr << "written to " << *out << "\n";
    return engine::kDone;
}

} // namespace

int runConvert(const std::vector<std::string>& words)
{
    std::vector<std::string> valued = kRecipeOptions;
    valued.push_back("--out");
    const Result<Arguments> arguments = parseArguments(words, valued, {}, 1);
    if (!arguments || arguments->positional.empty())
        return usageError("convert", arguments ? "which file?" : arguments.error().message);
    const Result<check::Request> request = requestFrom(*arguments);
    if (!request) {
        std::cerr << "kymo: " << request.error().message << "\n";
        return engine::kRecipeErrors;
    }
    const recipe::Resolved resolved
        = recipe::resolve(request->text, request->fileName, request->overrides);
    const auto toolkit = resolved.root ? adapter::toolkitOf(*resolved.root) : std::nullopt;
    printDiagnostics(resolved.diagnostics);
    if (!toolkit && !recipe::hasErrors(resolved.diagnostics))
        std::cerr << "kymo: " << request->fileName
                  << " is no configuration of FunASR, WeNet or ESPnet\n";
    if (!toolkit || recipe::hasErrors(resolved.diagnostics))
        return engine::kRecipeErrors;
    const adapter::Converted converted
        = adapter::convert(resolved.root, *toolkit, request->fileName);
    printDiagnostics(converted.diagnostics);
    return recipe::hasErrors(converted.diagnostics) ? engine::kRecipeErrors
                                                    : write(*arguments, converted);
}

} // namespace kymo::cli
