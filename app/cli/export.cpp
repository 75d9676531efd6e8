#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/outputs.h"
#include "app/cli/progress.h"
#include "app/cli/source.h"
#include "core/base/text.h"
#include "core/engine/rank_main.h"
#include "core/run/follower.h"
#include "core/train/weights/capsule.h"
#include "core/train/weights/hub_export.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace earwright::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kWeights = ".safetensors";
constexpr const char* kFormat = "--format";
constexpr std::array<const char*, 4> kEndings { "", ".zip", ".earwright", kWeights };

std::string endingOf(const fs::path& out)
{
    return toLower(out.extension().string());
}

/// The name tells what is asked for: who writes weights.safetensors wants no archive in it.
Status write(const Source& source, const fs::path& out)
{
    return endingOf(out) == kWeights
        ? train::writeWeights(source.checkpoint, out, train::labelsOf(source.run))
        : train::writeCapsule(source.run, source.checkpoint, out);
}

/// A capsule takes the event files as they are.
void warnOfDamage(const run::RunFolder& run)
{
    run::Follower follower(run);
    (void)follower.poll();
    std::cerr << damageLines(follower.snapshot().damage);
}

/// Where it was asked to.
Status exportTo(const std::string& name, const fs::path& out)
{
    const Result<Source> source = sourceOf(name);
    if (!source)
        return source.error();
    const Output output { "the file to write", out };
    if (const Status file = becomesFile(output); !file)
        return file;
    if (const Status spared = sparesInputs(output, { name }); !spared)
        return spared;
    if (const Status spared = sparesRun(out, source->run); !spared)
        return spared;
    if (endingOf(out) != kWeights)
        warnOfDamage(source->run);
    return write(*source, out);
}

/// The pretrained model alone, into a folder.
Status exportToHub(const std::string& name, const fs::path& out)
{
    const Result<Source> source = sourceOf(name);
    if (!source)
        return source.error();
    if (const Status spared = sparesRun(out, source->run); !spared)
        return spared;
    const Result<Names> told = train::writeHubFolder(source->run, source->checkpoint, out);
    if (!told)
        return told.error();
    for (const std::string& sentence : *told)
        std::cerr << sentence << "\n";
    return Done {};
}

bool isForHub(const Arguments& arguments)
{
    return arguments.has(kFormat);
}

/// What is wrong with the words of the command; "" = nothing.
std::string exportMisuse(const Arguments& arguments)
{
    if (arguments.positional.size() != 2)
        return "name a run and the file to write";
    if (isForHub(arguments))
        return *arguments.option(kFormat) == "hub"
            ? ""
            : std::string(kFormat) + " is hub; without it the file's name says what is written";
    const std::string& out = arguments.positional[1];
    if (std::find(kEndings.begin(), kEndings.end(), endingOf(out)) == kEndings.end())
        return inQuotes(out) + " is none of what is written: FILE.zip, a capsule, or FILE"
            + kWeights + ", the weights alone";
    return {};
}

} // namespace

int runExport(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseNames(words, { kFormat }, {}, 2);
    if (!arguments)
        return usageError("export", arguments.error().message);
    if (const std::string wrong = exportMisuse(*arguments); !wrong.empty())
        return usageError("export", wrong);
    endOnInterrupt();
    const std::string& out = arguments->positional[1];
    const Status written = isForHub(*arguments) ? exportToHub(arguments->positional[0], out)
                                                : exportTo(arguments->positional[0], out);
    if (!written) {
        std::cerr << "earwright: " << written.error().message << "\n";
        return engine::kRecipeErrors;
    }
    std::cerr << "written to " << out << "\n";
    return engine::kDone;
}

} // namespace earwright::cli
