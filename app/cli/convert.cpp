#include "app/cli/command.h"
#include "app/cli/conversion.h"
#include "app/cli/outputs.h"
#include "app/cli/recipe_arguments.h"
#include "core/base/file.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace earwright::cli {

namespace {

/// Prints the recipe, or writes it where `--out` says.
int write(const Arguments& arguments, const std::string& text)
{
    const auto out = arguments.option("--out");
    if (!out) {
        std::cout << text;
        return engine::kDone;
    }
    if (const Status status = writeFileAtomically(*out, text); !status) {
        std::cerr << "earwright: " << status.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cerr << "written to " << *out << "\n";
    return engine::kDone;
}

int convertFile(const Arguments& arguments, const check::Request& request)
{
    const Conversion made = convertConfiguration(request);
    printDiagnostics(made.diagnostics);
    if (recipe::hasErrors(made.diagnostics))
        return engine::kRecipeErrors;
    return write(arguments, made.text);
}

/// What is wrong with the words of the command; "" = nothing.
std::string convertMisuse(const Result<Arguments>& arguments)
{
    if (!arguments)
        return arguments.error().message;
    const auto out = arguments->option("--out");
    const Status spared = out ? sparesInputs({ "--out", *out }, arguments->positional) : Done {};
    return spared ? "" : spared.error().message;
}

} // namespace

int runConvert(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseRecipeWords({ "convert", { "--out" } }, words);
    if (const std::string wrong = convertMisuse(arguments); !wrong.empty())
        return usageError("convert", wrong);
    const Result<check::Request> request = requestFrom(*arguments);
    if (!request) {
        std::cerr << "earwright: " << request.error().message << "\n";
        return engine::kRecipeErrors;
    }
    return convertFile(*arguments, *request);
}

} // namespace earwright::cli
