#include "app/cli/recipe_arguments.h"

#include "app/cli/command.h"
#include "app/cli/conversion.h"
#include "core/base/file.h"
#include "core/base/names.h"
#include "core/data/token_check.h"
#include "core/engine/machine_probe.h"
#include "core/engine/rank_main.h"
#include "core/recipe/source.h"

#include <algorithm>
#include <iostream>
#include <map>

namespace earwright::cli {

namespace {

/// A misspelt option was read as an override of a key that the recipe has not: it is told instead
/// of what the recipe's check suggests of its keys.
void nameOptions(
    std::vector<recipe::Diagnostic>& diagnostics, const std::vector<std::string>& options)
{
    for (recipe::Diagnostic& diagnostic : diagnostics) {
        std::string& message = diagnostic.message; // "'--run=here': the recipe has …"
        const size_t unknown = message.find("': the recipe has no key '");
        if (diagnostic.rule != "unknown-override" || !message.starts_with("'--")
            || unknown == std::string::npos)
            continue;
        const std::string word = message.substr(1, message.find_first_of("= '", 1) - 1);
        if (const std::string option = nearestOption(word, options); !option.empty())
            message.replace(message.find_first_of(";,", unknown), std::string::npos,
                "; did you mean the option " + option + "?");
    }
}

/// What a run of a model's folder is called.
std::string modelName(const Arguments& arguments)
{
    return std::filesystem::absolute(configurationOf(arguments.positional.front()))
        .lexically_normal()
        .parent_path()
        .filename()
        .string();
}

Names allOptionsOf(const Accepted& accepted)
{
    Names options { "--devices", "--precision", "--eval-precision" };
    options.insert(options.end(), accepted.options.begin(), accepted.options.end());
    return options;
}

constexpr size_t kMostRecipeBytes = size_t { 1 } << 26;

/// "" of what cannot be read, and of a pipe: it was read to its end, and would be waited for.
std::string textOf(const std::filesystem::path& file)
{
    std::error_code problem;
    if (!std::filesystem::is_regular_file(file, problem))
        return "";
    const Result<std::string> text = readFile(file);
    return text ? *text : "";
}

} // namespace

Result<check::Request> requestFrom(const Arguments& arguments)
{
    const std::string file = configurationOf(arguments.positional.front());
    Result<std::string> text = readFileOrPipe(file, kMostRecipeBytes);
    if (!text)
        return text.error();
    Result<std::vector<recipe::Override>> overrides = recipe::parseOverrides(arguments.overrides);
    if (!overrides)
        return overrides.error();
    for (const auto& [option, key] :
        { std::pair { "--precision", "precision" }, { "--eval-precision", "eval_precision" } }) {
        if (const auto value = arguments.option(option)) {
            const std::string typed = std::string(option) + "=" + *value;
            recipe::NodePtr node = recipe::makeScalar(*value, recipe::Origin::Option);
            node->originText = typed;
            overrides->push_back({ .path = { key },
                .value = std::move(node),
                .text = typed,
                .origin = recipe::Origin::Option });
        }
    }
    return check::Request { .text = std::move(*text),
        .fileName = file,
        .overrides = std::move(*overrides),
        .devices = arguments.option("--devices").value_or("auto"),
        .checkFiles = !arguments.has("--no-files"),
        .tokenRule = data::checkTokens };
}

void printDiagnostics(
    const std::vector<recipe::Diagnostic>& diagnostics, const check::Request* made)
{
    struct File {
        std::string text;
        recipe::SourceText source;
        File(const std::string& name, const check::Request* unsaved)
            : text(unsaved && unsaved->fileName == name ? unsaved->text : textOf(name))
            , source(text)
        {
        }
    };
    std::map<std::string, File> files; // each is read once, however much is said of it
    for (const recipe::Diagnostic& diagnostic : diagnostics) {
        const std::string& name = diagnostic.span.file;
        const File& file = files.try_emplace(name, name, made).first->second;
        std::cerr << recipe::formatDiagnostic(diagnostic, file.source) << "\n";
    }
    const auto count = [&](recipe::Severity severity) {
        return std::count_if(diagnostics.begin(), diagnostics.end(),
            [&](const auto& d) { return d.severity == severity; });
    };
    const auto errors = count(recipe::Severity::Error);
    const auto warnings = count(recipe::Severity::Warning);
    if (errors + warnings > 0)
        std::cerr << errors << (errors == 1 ? " error, " : " errors, ") << warnings
                  << (warnings == 1 ? " warning\n" : " warnings\n");
}

Result<Arguments> parseRecipeWords(const Accepted& accepted, const std::vector<std::string>& words)
{
    Result<Arguments> parsed = parseArguments(
        words, allOptionsOf(accepted), accepted.flags, accepted.takesKeys ? words.size() : 1);
    if (!parsed)
        return parsed.error();
    if (const Status taken = takeModel(*parsed, accepted); !taken)
        return taken.error();
    if (parsed->positional.empty())
        return Error { "which recipe?" };
    return parsed;
}

Result<GivenRecipe> givenRecipe(const Arguments& arguments, const check::Machine& machine)
{
    Result<check::Request> request = requestFrom(arguments);
    if (!request)
        return request.error();
    GivenRecipe given { std::move(*request), {} };
    if (isModelFolder(arguments.positional.front()))
        given.said = becomeRecipe(given.request, machine);
    return given;
}

std::optional<plan::Plan> planFrom(const Accepted& accepted, const std::vector<std::string>& words,
    Arguments& arguments, int& exitCode)
{
    Result<Arguments> parsed = parseRecipeWords(accepted, words);
    if (!parsed) {
        exitCode = usageError(accepted.command, parsed.error().message);
        return {};
    }
    arguments = std::move(*parsed);
    exitCode = engine::kRecipeErrors;
    const check::Machine machine = engine::probeMachine();
    Result<GivenRecipe> given = givenRecipe(arguments, machine);
    if (!given) {
        std::cerr << "earwright: " << given.error().message << "\n";
        return {};
    }
    plan::Checked checked;
    if (!recipe::hasErrors(given->said))
        checked = plan::checkRecipe(given->request, machine);
    nameOptions(checked.diagnostics, allOptionsOf(accepted));
    std::vector<recipe::Diagnostic>& said = given->said;
    said.insert(said.end(), checked.diagnostics.begin(), checked.diagnostics.end());
    const bool isModel = isModelFolder(arguments.positional.front());
    printDiagnostics(said, isModel ? &given->request : nullptr);
    if (!checked.plan)
        return {};
    if (isModel)
        checked.plan->name = modelName(arguments);
    exitCode = engine::kDone;
    return std::move(checked.plan);
}

} // namespace earwright::cli
