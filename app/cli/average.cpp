#include "core/train/weights/average.h"
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/outputs.h"
#include "app/cli/supervised.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"
#include "core/train/weights/capsule.h"
#include "core/train/weights/checkpoint_folder.h"

#include <iostream>

namespace earwright::cli {

namespace {

namespace fs = std::filesystem;

/// The best; all with `asked` 0.
Result<std::vector<fs::path>> checkpointsOf(const run::RunFolder& run, size_t asked)
{
    const std::vector<fs::path> found = asked == 0
        ? train::completeCheckpoints(run.checkpoints())
        : train::bestCheckpoints(run.checkpoints(), asked);
    const size_t count = std::max<size_t>(asked, 1);
    if (found.size() < count)
        return Error { "the run '" + run.path.string() + "' has " + std::to_string(found.size())
            + " checkpoints to average, not " + std::to_string(count)
            + "; a recipe keeps as many with avg_checkpoints: " + std::to_string(count) };
    return found;
}

/// What is wrong with the words of the command, but for --num; "" = nothing.
std::string averageMisuse(const Arguments& arguments)
{
    if (arguments.positional.empty())
        return "which run?";
    const auto out = arguments.option("--out");
    if (out && toLower(fs::path(*out).extension().string()) != ".safetensors")
        return "--out takes FILE.safetensors, the weights alone, not " + inQuotes(*out);
    return {};
}

/// Where it was written; `exitCode` is that of an error.
Result<fs::path> average(const Arguments& arguments, size_t asked, int& exitCode)
{
    exitCode = engine::kRecipeErrors;
    const Result<run::RunFolder> run = findRun(arguments.positional.front());
    if (!run)
        return run.error();
    const auto out = arguments.option("--out");
    if (const Status spared = out ? sparesRun(*out, *run) : Status(Done {}); !spared)
        return spared.error();
    const auto checkpoints = checkpointsOf(*run, asked);
    if (!checkpoints)
        return checkpoints.error();
    const auto mean = train::averageCheckpoints(*checkpoints);
    if (!mean)
        return mean.error();
    for (const fs::path& path : *checkpoints)
        std::cerr << path.filename().string() << "\n";
    const fs::path path = out ? fs::path(*out)
                              : run->checkpoints() / ("avg-" + std::to_string(checkpoints->size()));
    const Status written = out ? train::writeWeights(*mean, path, train::labelsOf(*run))
                               : train::writeCheckpoint(path, *mean);
    exitCode = engine::kFailed;
    return written ? Result<fs::path>(path) : written.error();
}

} // namespace

int runAverage(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseNames(words, { "--num", "--out" }, {}, 1);
    if (!arguments)
        return usageError("average", arguments.error().message);
    if (const std::string wrong = averageMisuse(*arguments); !wrong.empty())
        return usageError("average", wrong);
    const auto num = arguments->option("--num");
    const size_t asked = num ? parseNumber<size_t>(*num).value_or(0) : 0;
    if (num && asked == 0)
        return usageError("average", "--num takes a whole number of 1 or more");
    int exitCode = engine::kDone;
    const Result<fs::path> written = average(*arguments, asked, exitCode);
    if (!written) {
        std::cerr << "earwright: " << written.error().message << "\n";
        return exitCode;
    }
    std::cout << written->string() << "\n";
    return engine::kDone;
}

} // namespace earwright::cli
