#include "core/adapter/convert.h"
#include "app/cli/command.h"
#include "app/cli/outputs.h"
#include "app/cli/recipe_arguments.h"
#include "core/adapter/model_folder.h"
#include "core/base/file.h"
#include "core/check/accepted_keys.h"
#include "core/data/token_list.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace earwright::cli {

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
        std::cerr << "earwright: " << status.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cerr << "written to " << *out << "\n";
    return engine::kDone;
}

/// As the check resolves a configuration: what reads a section says what it does not read.
recipe::Resolved resolved(const check::Request& request)
{
    recipe::ResolveOptions options = check::resolveOptions();
    options.acceptedKeys = {};
    return recipe::resolve(request.text, request.fileName, request.overrides, options);
}

adapter::Converted converted(
    const recipe::NodePtr& root, adapter::Toolkit toolkit, const std::string& fileName)
{
    adapter::Adapted whole { root, {} };
    if (toolkit == adapter::Toolkit::FunAsr)
        whole = adapter::withModelFiles(root, fileName);
    const auto countTokens = [](const std::string& file) -> Result<int64_t> {
        const Result<data::Vocabulary> list = data::readTokenList(file);
        return list ? Result<int64_t>(list->size()) : list.error();
    };
    adapter::Converted made = adapter::convert(whole.root, toolkit, fileName, countTokens);
    made.diagnostics.insert(
        made.diagnostics.begin(), whole.diagnostics.begin(), whole.diagnostics.end());
    return made;
}

int convertFile(const Arguments& arguments, const check::Request& request)
{
    const recipe::Resolved configuration = resolved(request);
    const auto toolkit
        = configuration.root ? adapter::toolkitOf(*configuration.root) : std::nullopt;
    printDiagnostics(configuration.diagnostics);
    if (!toolkit && !recipe::hasErrors(configuration.diagnostics))
        std::cerr << "earwright: " << request.fileName
                  << " is no configuration of FunASR, WeNet or ESPnet\n";
    if (!toolkit || recipe::hasErrors(configuration.diagnostics))
        return engine::kRecipeErrors;
    const adapter::Converted made = converted(configuration.root, *toolkit, request.fileName);
    printDiagnostics(made.diagnostics);
    return recipe::hasErrors(made.diagnostics) ? engine::kRecipeErrors : write(arguments, made);
}

/// What is wrong with the words of the command; "" = nothing.
std::string convertMisuse(const Result<Arguments>& arguments)
{
    if (!arguments)
        return arguments.error().message;
    if (arguments->positional.empty())
        return "which file?";
    const auto out = arguments->option("--out");
    const Status spared = out ? sparesInputs({ "--out", *out }, arguments->positional) : Done {};
    return spared ? "" : spared.error().message;
}

} // namespace

int runConvert(const std::vector<std::string>& words)
{
    std::vector<std::string> valued = kRecipeOptions;
    valued.push_back("--out");
    const Result<Arguments> arguments = parseArguments(words, valued, {}, 1);
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
