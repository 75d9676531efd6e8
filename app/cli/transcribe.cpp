#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/source.h"
#include "app/cli/transcript_text.h"
#include "core/base/cjk.h"
#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/check/check.h"
#include "core/data/audio.h"
#include "core/engine/rank_main.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace kymo::cli {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kValued { "--beam-size", "--nbest", "--lm", "--lm-weight",
    "--word-bonus", "--hotwords", "--hotword-weight", "--batch-size", "--device", "--data-folder",
    "--format", "--out", "--alignments" };

/// Reads numbers and remembers the first that is none.
class Numbers final {
public:
    explicit Numbers(const Arguments& arguments)
        : m_arguments(arguments)
    {
    }
    int64_t whole(const std::string& option, int64_t fallback, int64_t least)
    {
        const double value = real(option, static_cast<double>(fallback));
        if (value < static_cast<double>(least) || value != std::floor(value) || value > 1e6)
            m_error = option + " takes a whole number of " + std::to_string(least) + " or more";
        return static_cast<int64_t>(value);
    }
    double real(const std::string& option, double fallback)
    {
        const auto text = m_arguments.option(option);
        if (!text)
            return fallback;
        const auto value = parseNumber<double>(*text);
        if (!value)
            m_error = option + " takes a number, not '" + *text + "'";
        return value.value_or(fallback);
    }
    const std::string& error() const { return m_error; }

private:
    const Arguments& m_arguments;
    std::string m_error;
};

/// What the options say, but for the files that they name.
struct Request {
    train::DecodeSetting setting;
    int64_t batchSize = 8;
};

Result<Request> requestFrom(const Arguments& arguments)
{
    Numbers numbers(arguments);
    Request request;
    train::DecodeSetting& setting = request.setting;
    setting.languageModel = arguments.option("--lm").value_or("");
    setting.topk = numbers.whole("--nbest", 1, 1);
    if (arguments.has("--beam-size"))
        setting.beamSize = numbers.whole("--beam-size", 1, 1);
    if (arguments.has("--lm-weight"))
        setting.lmWeight = numbers.real("--lm-weight", 0);
    if (arguments.has("--word-bonus"))
        setting.wordBonus = numbers.real("--word-bonus", 0);
    if (arguments.has("--hotword-weight"))
        setting.hotwordWeight = numbers.real("--hotword-weight", 0);
    request.batchSize = numbers.whole("--batch-size", request.batchSize, 1);
    if (!numbers.error().empty())
        return Error { numbers.error() };
    if (setting.beamSize && setting.topk > *setting.beamSize)
        return Error { "--nbest asks for more hypotheses than --beam-size keeps" };
    return request;
}

std::string dataFolder(const Arguments& arguments, const plan::Plan& plan)
{
    const recipe::NodePtr node = recipe::find(*plan.recipe, "data_folder");
    return arguments.option("--data-folder")
        .value_or(node && !recipe::isNull(*node) ? recipe::asString(*node) : "");
}

/// What manifests list and audio files named by themselves, these under their names.
Result<std::vector<data::Utterance>> utterancesOf(
    const std::vector<std::string>& names, const std::string& dataRoot)
{
    std::vector<data::Utterance> all;
    for (const std::string& name : names) {
        if (data::isManifest(name)) {
            const auto listed = data::readManifest(name, dataRoot);
            if (!listed)
                return listed.error();
            all.insert(all.end(), listed->begin(), listed->end());
            continue;
        }
        if (!fs::exists(name))
            return Error { "there is no file '" + name + "'" };
        data::Utterance utterance;
        utterance.id = name;
        utterance.wav = name;
        if (const auto info = data::readAudioInfo(name); info)
            utterance.durationSeconds
                = static_cast<double>(info->frames) / std::max(info->sampleRateHz, 1);
        all.push_back(std::move(utterance));
    }
    return all;
}

/// One device, as `kymo train --devices` reads it.
Result<c10::Device> deviceOf(const Arguments& arguments)
{
    const auto count = static_cast<int>(torch::cuda::device_count());
    const auto devices = check::parseDevices(
        arguments.option("--device").value_or(count > 0 ? "cuda" : "cpu"), count);
    if (!devices)
        return devices.error();
    if (devices->size() > 1)
        return Error { "--device takes one device, not " + std::to_string(devices->size()) };
    return c10::Device(devices->front());
}

/// To standard error and where `--alignments` says; nothing where no utterance has a transcript.
/// Sentences without words (Mandarin) are scored by character alone.
Status tellErrors(const Arguments& arguments, const std::vector<data::Utterance>& utterances,
    const std::vector<train::Heard>& heard, const train::DecodeSetting& setting)
{
    const std::vector<decode::Scored> byWord = scoresOf(utterances, heard, decode::words);
    if (byWord.empty())
        return Done {};
    const auto byCharacter = scoresOf(utterances, heard, decode::characters);
    std::vector<std::string> references;
    for (const data::Utterance& utterance : utterances)
        references.push_back(utterance.text);
    std::erase(references, "");
    const bool hasWords = !areCjkSentences(references);
    std::cerr << (hasWords ? rateText(byWord) : "") << "by character: " << rateText(byCharacter);
    if (setting.hotwords && !setting.hotwords->empty())
        std::cerr << hotwordText(train::phrasesOf(*setting.hotwords), utterances, heard);
    const auto file = arguments.option("--alignments");
    return file ? writeFileAtomically(*file, decode::alignmentText(hasWords ? byWord : byCharacter))
                : Status(Done {});
}

/// Of sounds that could not be read, each in a line of its own.
Status unread(const std::vector<train::Heard>& heard)
{
    size_t count = 0;
    for (const train::Heard& one : heard) {
        if (one.problem.empty())
            continue;
        std::cerr << one.problem << '\n';
        ++count;
    }
    if (count == 0)
        return Done {};
    return Error { std::to_string(count) + " of " + std::to_string(heard.size())
        + " utterances could not be read and have no text" };
}

Status transcribe(const Arguments& arguments, Request request)
{
    const Result<Source> source = sourceOf(arguments.positional.front());
    if (!source)
        return source.error();
    const Result<plan::Plan> plan = run::readPlan(source->run);
    if (!plan)
        return plan.error();
    const auto utterances
        = utterancesOf({ arguments.positional.begin() + 1, arguments.positional.end() },
            dataFolder(arguments, *plan));
    if (!utterances)
        return utterances.error();
    if (arguments.has("--alignments")
        && std::none_of(utterances->begin(), utterances->end(), hasText))
        return Error { "--alignments needs a manifest with transcripts" };
    if (const auto file = arguments.option("--hotwords")) {
        const auto hotwords = decode::readHotwords(
            *file, request.setting.hotwordWeight.value_or(decode::kUsualHotwordWeight));
        if (!hotwords)
            return hotwords.error();
        request.setting.hotwords = *hotwords;
    }
    const Result<c10::Device> device = deviceOf(arguments);
    if (!device)
        return device.error();
    auto recogniser = train::Recogniser::load(
        *plan, source->run.path, source->checkpoint, *device, request.setting);
    if (!recogniser)
        return recogniser.error();
    if (const std::string warning = recogniser->warning(); !warning.empty())
        std::cerr << "warning: " << warning << '\n';
    const auto heard = recogniser->recognise(*utterances, request.batchSize);
    if (!heard)
        return heard.error();
    const std::string text = arguments.option("--format") == "json"
        ? asJson(*utterances, *heard, recogniser->isSearch())
        : asText(*utterances, *heard, request.setting.topk > 1);
    if (const auto out = arguments.option("--out")) {
        if (const Status written = writeFileAtomically(*out, text); !written)
            return written;
    } else {
        std::cout << text << std::flush;
    }
    const Status told = tellErrors(arguments, *utterances, *heard, request.setting);
    return told ? unread(*heard) : told;
}

} // namespace

int runTranscribe(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(words, kValued, {}, 100000);
    if (!arguments)
        return usageError("transcribe", arguments.error().message);
    if (!arguments->overrides.empty())
        return usageError("transcribe", "unknown option " + arguments->overrides.front());
    if (arguments->positional.size() < 2)
        return usageError("transcribe", "name a run or a checkpoint, and audio or a manifest");
    const std::string format = arguments->option("--format").value_or("text");
    if (format != "text" && format != "json")
        return usageError("transcribe", "--format is text or json");
    const Result<Request> request = requestFrom(*arguments);
    if (!request)
        return usageError("transcribe", request.error().message);
    endOnInterrupt();
    if (const Status done = transcribe(*arguments, *request); !done) {
        std::cerr << "kymo: " << done.error().message << "\n";
        return engine::kRecipeErrors;
    }
    return engine::kDone;
}

} // namespace kymo::cli
