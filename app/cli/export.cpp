#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/source.h"
#include "core/engine/rank_main.h"
#include "core/train/capsule.h"

#include <iostream>

namespace kymo::cli {

namespace {

/// The name tells what is asked for: who writes weights.safetensors wants no archive in it.
Status write(const Source& source, const std::filesystem::path& out)
{
    return out.extension() == ".safetensors"
        ? train::writeWeights(source.checkpoint, out)
        : train::writeCapsule(source.run, source.checkpoint, out);
}

} // namespace

int runExport(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(words, {}, {}, 2);
    if (!arguments)
        return usageError("export", arguments.error().message);
    if (!arguments->overrides.empty())
        return usageError("export", "unknown option " + arguments->overrides.front());
    if (arguments->positional.size() != 2)
        return usageError("export", "name a run and the file to write");
    endOnInterrupt();
    const auto& [name, out] = std::tie(arguments->positional[0], arguments->positional[1]);
    const Result<Source> source = sourceOf(name);
    const Status written = source ? write(*source, out) : Status(source.error());
    if (!written) {
        std::cerr << "kymo: " << written.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cerr << "written to " << out << "\n";
    return engine::kDone;
}

} // namespace kymo::cli
