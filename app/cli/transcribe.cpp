#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/sounds.h"
#include "app/cli/source.h"
#include "app/cli/transcribe_options.h"
#include "app/cli/transcribe_outputs.h"
#include "app/cli/transcripts.h"
#include "core/base/text.h"
#include "core/data/recipe_data.h"
#include "core/engine/rank_main.h"
#include "core/train/dataset.h"
#include "core/train/weights/kept_files.h"

#include <algorithm>
#include <iostream>

namespace earwright::cli {

namespace {

/// A path of the run's recipe, from this process's working folder.
std::string pathOf(const plan::Plan& plan, const std::string& path)
{
    return path.empty() ? path : (std::filesystem::path(plan.workingFolder) / path).string();
}

std::string dataFolder(const Arguments& arguments, const plan::Plan& plan)
{
    const auto given = arguments.option("--data-folder");
    return given ? *given : pathOf(plan, plan.settings.data.dataFolder);
}

/// Nothing where a manifest is not there any more, or not on this machine.
std::optional<std::vector<std::string>> trainTexts(
    const plan::Plan& plan, const std::string& dataRoot)
{
    std::vector<std::string> texts;
    const auto manifests = data::manifestsOf(*plan.recipe, "train");
    const settings::DataSettings& settings = plan.settings.data;
    for (const data::NamedManifest& manifest : manifests) {
        auto utterances
            = data::readManifest(pathOf(plan, manifest.path), dataRoot, settings.columns);
        if (!utterances)
            return std::nullopt;
        train::leaveOut(settings, *utterances);
        for (const data::Utterance& utterance : *utterances)
            texts.push_back(utterance.text);
    }
    return manifests.empty() ? std::nullopt : std::optional(std::move(texts));
}

/// The list of --count-hotwords, else what is listened for, else the recipe's own, which the run
/// keeps; that one may be gone with its file.
Result<CountedHotwords> countedHotwords(const Arguments& arguments,
    const train::DecodeSetting& setting, const plan::Plan& plan, const run::RunFolder& run)
{
    CountedHotwords counted;
    if (const auto file = arguments.option("--count-hotwords")) {
        const auto listed = decode::readHotwords(*file, decode::kUsualHotwordWeight);
        if (!listed)
            return listed.error();
        counted.phrases = train::phrasesOf(*listed);
    } else if (setting.hasHotwords()) {
        counted.phrases = train::phrasesOf(*setting.hotwords);
    } else if (const auto own
        = train::recipeHotwords(*train::withKeptFiles(*plan.recipe, run.path))) {
        counted.phrases = *own;
    }
    if (!counted.phrases.empty())
        counted.trainTexts = trainTexts(plan, dataFolder(arguments, plan));
    return counted;
}

Result<train::DecodeSetting> withHotwords(train::DecodeSetting setting, const Arguments& arguments)
{
    const auto file = arguments.option("--hotwords");
    if (!file)
        return setting;
    const auto hotwords
        = decode::readHotwords(*file, setting.hotwordWeight.value_or(decode::kUsualHotwordWeight));
    if (!hotwords)
        return hotwords.error();
    setting.hotwords = *hotwords;
    return setting;
}

/// Weights of a language model and of hotwords part the beams, of which those far behind the best
/// are dropped. "" where there are as many texts as were asked for.
std::string fewerTexts(int64_t asked, const Transcripts& transcripts)
{
    const size_t count = transcripts.shortLists(static_cast<size_t>(asked));
    if (count == 0)
        return {};
    return "warning: " + std::to_string(count) + " of " + std::to_string(transcripts.heardCount())
        + " utterances have fewer than " + std::to_string(asked)
        + " texts: the search drops what is far less likely than the best; a smaller --lm-weight "
          "or --hotword-weight, or a larger --beam-size, may keep more\n";
}

std::vector<std::string> transcriptsOf(const Utterances& sounds)
{
    std::vector<std::string> texts;
    for (const data::Utterance& sound : sounds)
        if (hasText(sound))
            texts.push_back(sound.text);
    return texts;
}

/// Error rates, hotwords and letters to standard error, the worst and alignments where asked, and
/// sounds with fewer texts or without one.
Status tell(const Arguments& arguments, const Request& request, const Transcripts& transcripts,
    const data::OtherLetters& otherLetters)
{
    std::cerr << transcripts.scores().text();
    if (otherLetters.words > 0 && !transcripts.scores().isEmpty())
        std::cerr << "warning: of the transcripts " << otherLetters.text() << "\n";
    if (request.topErrors > 0 && !transcripts.scores().isEmpty())
        std::cerr << transcripts.scores().topErrors(request.topErrors);
    std::cerr << fewerTexts(request.setting.topk, transcripts);
    const auto file = arguments.option("--alignments");
    if (file && transcripts.scores().isEmpty())
        std::cerr << "warning: no transcript has a letter: there are no alignments\n";
    else if (file)
        if (const Status written = transcripts.scores().writeAlignments(*file); !written)
            return written;
    for (const std::string& problem : transcripts.problems())
        std::cerr << problem << '\n';
    return Done {};
}

/// Until all is heard, nobody listens or somebody interrupts.
Status listen(train::Recogniser& recogniser, const Utterances& sounds, int64_t batchSize,
    Transcripts& transcripts)
{
    endOnSecondInterrupt();
    const auto hear = [&](size_t utterance, const train::Heard& one) {
        return transcripts.hear(utterance, one);
    };
    const auto heard
        = recogniser.recognise(sounds, batchSize, hear, [] { return interruptCount() == 0; });
    if (heard)
        return Done {};
    if (interruptCount() > 0)
        return Error { "stopped: " + std::to_string(transcripts.heardCount()) + " of "
            + std::to_string(sounds.size()) + " utterances are written" };
    return heard.error();
}

/// All that is read before the model.
struct Job {
    Source source;
    plan::Plan plan;
    Utterances sounds;
    train::DecodeSetting setting;
    CountedHotwords counted;
};

Result<Job> jobOf(const Arguments& arguments, const Request& request)
{
    const Result<Source> source = sourceOf(arguments.positional.front());
    if (!source)
        return source.error();
    const Result<plan::Plan> plan = run::readPlan(source->run);
    if (!plan)
        return plan.error();
    const auto sounds = soundsOf({ arguments.positional.begin() + 1, arguments.positional.end() },
        dataFolder(arguments, *plan));
    if (!sounds)
        return sounds.error();
    if (const Status writable = checkOutputs(arguments, *sounds, source->run); !writable)
        return writable.error();
    const auto setting = withHotwords(request.setting, arguments);
    if (!setting)
        return setting.error();
    const auto counted = countedHotwords(arguments, *setting, *plan, source->run);
    if (!counted)
        return counted.error();
    return Job { *source, *plan, *sounds, *setting, *counted };
}

/// "" where no sound is longer than the model hears at once.
std::string longSounds(const Utterances& sounds, const train::Recogniser& recogniser)
{
    const double maxSeconds = recogniser.maxSegmentSeconds();
    const auto count = std::count_if(sounds.begin(), sounds.end(),
        [&](const data::Utterance& sound) { return sound.durationSeconds > maxSeconds; });
    if (count == 0)
        return {};
    return "of " + std::to_string(sounds.size()) + " sounds " + std::to_string(count)
        + " are longer than " + formatNumber(maxSeconds) + " s: "
        + (recogniser.hearsByWindows()
                ? "they are heard by windows, each from the last time stamp on\n"
                : "their segments, cut where it is quietest, are decoded separately\n");
}

/// With a line for what is to be known of it.
Result<train::Recogniser> recogniserFor(Job& job, const Arguments& arguments)
{
    const Result<c10::Device> device = deviceOf(arguments);
    if (!device)
        return device.error();
    auto recogniser = train::Recogniser::load(
        job.plan, job.source.run.path, job.source.checkpoint, *device, job.setting);
    if (!recogniser)
        return recogniser;
    for (data::Utterance& utterance : job.sounds)
        utterance.text = recogniser->asWritten(utterance.text);
    if (const std::string warning = recogniser->warning(); !warning.empty())
        std::cerr << "warning: " << warning << '\n';
    if (const std::string line
        = lookAtSounds(job.sounds, recogniser->sampleRateHz(), recogniser->maxSegmentSeconds());
        !line.empty())
        std::cerr << line << '\n';
    std::cerr << longSounds(job.sounds, *recogniser);
    return recogniser;
}

TextLines linesOf(const train::DecodeSetting& setting)
{
    if (setting.wantsTimes)
        return TextLines::Segments;
    return setting.topk > 1 ? TextLines::Hypotheses : TextLines::Texts;
}

/// `exitCode` is that of an error.
Status transcribe(const Arguments& arguments, const Request& request, int& exitCode)
{
    exitCode = engine::kRecipeErrors;
    Result<Job> job = jobOf(arguments, request);
    if (!job)
        return job.error();
    auto recogniser = recogniserFor(*job, arguments);
    if (!recogniser)
        return recogniser.error();
    Transcripts transcripts(job->sounds,
        { .isJson = request.isJson,
            .lines = linesOf(job->setting),
            .isSearch = recogniser->isSearch(),
            .file = arguments.option("--out").value_or("") });
    const Status heard = listen(*recogniser, job->sounds,
        request.batchSize.value_or(testBatchSize(job->plan)), transcripts);
    const Scoring scoring { score::wordSplitOf(job->plan.options.splitWords),
        [&](const std::string& text) { return recogniser->scored(text); } };
    const Status written
        = transcripts.finish(scoring, job->counted); // what there is, after a failure too
    if (!written || !std::cout)
        exitCode = engine::kFailed;
    if (!heard || !written)
        return heard ? written : heard;
    if (const Status told = tell(
            arguments, request, transcripts, recogniser->otherLetters(transcriptsOf(job->sounds)));
        !told) {
        exitCode = engine::kFailed;
        return told;
    }
    const size_t problems = transcripts.problems().size();
    if (problems == 0)
        return Done {};
    return Error { std::to_string(problems) + " of " + std::to_string(job->sounds.size())
        + " utterances have no text" };
}

} // namespace

int runTranscribe(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseNames(words, kTranscribeOptions, kTranscribeFlags);
    if (!arguments)
        return usageError("transcribe", arguments.error().message);
    if (arguments->positional.size() < 2)
        return usageError("transcribe", "name a run or a checkpoint, and audio or a manifest");
    const Result<Request> request = decodingAsked(*arguments);
    if (!request)
        return usageError("transcribe", request.error().message);
    endOnInterrupt();
    int exitCode = engine::kDone;
    if (const Status done = transcribe(*arguments, *request, exitCode); !done) {
        std::cerr << "earwright: " << done.error().message << "\n";
        return interruptCount() > 0 ? engine::kStopped : exitCode;
    }
    return engine::kDone;
}

} // namespace earwright::cli
