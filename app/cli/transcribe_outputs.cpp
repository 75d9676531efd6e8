#include "app/cli/transcribe_outputs.h"

#include "app/cli/outputs.h"
#include "app/cli/sounds.h"
#include "app/cli/transcripts.h"

#include <algorithm>

namespace earwright::cli {

namespace {

std::vector<Output> outputsOf(const Arguments& arguments)
{
    std::vector<Output> outputs;
    if (const auto file = arguments.option("--out"))
        outputs.push_back({ "--out", *file });
    if (const auto file = arguments.option("--alignments")) {
        outputs.push_back({ "--alignments", *file });
        outputs.push_back({ "the second file of --alignments", alignmentsByCharacter(*file) });
    }
    return outputs;
}

std::vector<std::string> inputsOf(const Arguments& arguments, const Utterances& sounds)
{
    std::vector<std::string> inputs = arguments.positional;
    for (const char* option : { "--lm", "--hotwords", "--count-hotwords" }) {
        if (const auto file = arguments.option(option))
            inputs.push_back(*file);
    }
    for (const data::Utterance& sound : sounds)
        inputs.push_back(sound.wav);
    return inputs;
}

} // namespace

Status checkOutputs(const Arguments& arguments, const Utterances& sounds, const run::RunFolder& run)
{
    const bool hasTexts = std::any_of(sounds.begin(), sounds.end(), hasText);
    for (const std::string option : { "--alignments", "--print-top-wer" })
        if (arguments.has(option) && !hasTexts)
            return Error { option + " needs a manifest with transcripts" };
    const std::vector<Output> outputs = outputsOf(arguments);
    if (const Status apart = areApart(outputs); !apart)
        return apart;
    const std::vector<std::string> inputs
        = outputs.empty() ? std::vector<std::string>() : inputsOf(arguments, sounds);
    for (const Output& output : outputs) {
        if (const Status spared = sparesInputs(output, inputs); !spared)
            return spared;
        if (const Status spared = sparesRun(output.file, run); !spared)
            return spared;
        // They get a second file beside.
        if (const Status file = output.name == "--out" ? Done {} : becomesFile(output); !file)
            return file;
        if (const Status writable = canWrite(output.file); !writable)
            return writable;
    }
    return Done {};
}

} // namespace earwright::cli
