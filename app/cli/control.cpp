#include "core/run/control.h"
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/supervised.h"
#include "core/base/json_fields.h"
#include "core/engine/rank_main.h"

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

namespace earwright::cli {

namespace {

/// Tells the supervisor of the run that is named first; prints `done` once it has it.
int tell(const Arguments& arguments, const nlohmann::json& request, const std::string& done)
{
    const Result<run::RunFolder> folder = namedRun(arguments);
    if (!folder) {
        std::cerr << "earwright: " << folder.error().message << "\n";
        return engine::kRecipeErrors;
    }
    const std::optional<run::Lock> lock = run::liveLock(*folder);
    if (!lock) {
        std::cerr << "earwright: " << folder->path.string() << " is not running\n";
        return engine::kRecipeErrors;
    }
    const Result<std::string> answer = run::sendControl(lock->socket, request.dump());
    if (!answer) {
        std::cerr << "earwright: " << answer.error().message << "\n";
        return engine::kFailed;
    }
    bool isDone = false;
    std::string error = *answer;
    if (Result<JsonReader> reader = JsonReader::parse(*answer)) {
        (*reader)("ok", isDone);
        (*reader)("error", error);
    }
    if (!isDone) {
        std::cerr << "earwright: " << error << "\n";
        return engine::kFailed;
    }
    std::cout << done << "\n";
    return engine::kDone;
}

int tellPlainly(
    const std::string& command, const std::vector<std::string>& words, const std::string& done)
{
    const Result<Arguments> arguments = parseNames(words, { "--runs-dir" }, {}, 1);
    if (!arguments || arguments->positional.empty())
        return usageError(command, arguments ? "which run?" : arguments.error().message);
    return tell(*arguments, { { "command", command } }, done);
}

} // namespace

int runStop(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseNames(words, { "--runs-dir" }, { "--now" }, 1);
    if (!arguments || arguments->positional.empty())
        return usageError("stop", arguments ? "which run?" : arguments.error().message);
    const bool now = arguments->has("--now");
    return tell(*arguments, { { "command", now ? "kill" : "stop" } },
        now ? "killed" : "stopping after this step, with a checkpoint");
}

int runPause(const std::vector<std::string>& words)
{
    return tellPlainly("pause", words, "pausing after this step");
}

int runContinue(const std::vector<std::string>& words)
{
    return tellPlainly("continue", words, "going on");
}

int runCheckpoint(const std::vector<std::string>& words)
{
    return tellPlainly("checkpoint", words, "saving after this step");
}

int runSetLr(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseNames(words, { "--runs-dir" }, {}, 2);
    if (!arguments || arguments->positional.size() != 2)
        return usageError(
            "set-lr", arguments ? "which run, and which rate?" : arguments.error().message);
    const std::string& text = arguments->positional[1];
    char* end = nullptr;
    const double rate = std::strtod(text.c_str(), &end);
    if (*end != '\0' || !std::isfinite(rate) || rate <= 0)
        return usageError("set-lr", "'" + text + "' is not a rate above 0");
    return tell(*arguments, { { "command", "set-lr" }, { "value", rate } },
        "learning rate " + text + " after this step");
}

} // namespace earwright::cli
