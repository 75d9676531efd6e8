#include "core/engine/resume.h"
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/recipe_arguments.h"
#include "app/cli/supervised.h"
#include "core/engine/rank_main.h"
#include "core/engine/supervisor.h"

#include <iostream>

namespace earwright::cli {

namespace {

/// No key has a hyphen: such a word is an option, and of another command. "" = there is none.
std::string unknownOption(const Arguments& arguments)
{
    for (const std::string& word : arguments.overrides) {
        const std::string name = word.substr(0, word.find('='));
        if (!name.starts_with("--") || name.find('-', 2) == std::string::npos)
            continue;
        const std::string near = nearestOption(name, { "--runs-dir" });
        return "unknown option " + word + (near.empty() ? "" : "; did you mean " + near + "?");
    }
    return "";
}

/// What is wrong with the words of the command; "" = nothing.
std::string resumeMisuse(const Result<Arguments>& arguments)
{
    if (!arguments)
        return arguments.error().message;
    return arguments->positional.empty() ? "which run?" : unknownOption(*arguments);
}

} // namespace

int runResume(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(words, { "--runs-dir" }, {}, 1);
    if (const std::string wrong = resumeMisuse(arguments); !wrong.empty())
        return usageError("resume", wrong);
    const Result<run::RunFolder> folder = namedRun(*arguments);
    if (!folder) {
        std::cerr << "earwright: " << folder.error().message << "\n";
        return engine::kRecipeErrors;
    }
    const Result<plan::Plan> plan = run::readPlan(*folder);
    if (!plan) {
        std::cerr << "earwright: " << plan.error().message << "\n";
        return engine::kFailed;
    }
    if (const Status runnable = engine::checkRunnable(*folder); !runnable) {
        std::cerr << "earwright: " << runnable.error().message << "\n";
        return engine::kFailed;
    }
    std::vector<recipe::Diagnostic> found;
    const Result<engine::Resumption> resumed
        = engine::prepareResume(*folder, *plan, arguments->overrides, found);
    printDiagnostics(found);
    if (!resumed) {
        std::cerr << "earwright: " << resumed.error().message << "\n";
        return engine::kRecipeErrors;
    }
    if (!resumed->finished.empty()) {
        std::cout << resumed->finished << "\n";
        return engine::kDone;
    }
    return superviseAndReport(*folder, resumed->plan, resumed->notes);
}

} // namespace earwright::cli
