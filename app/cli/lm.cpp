#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/lmplz.h"
#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/manifest.h"
#include "core/engine/rank_main.h"

#include <iostream>

namespace kymo::cli {

namespace {

constexpr int64_t kLeastOrder = 2; // its reader takes no model of single words
constexpr int64_t kMostOrder = 6; // KenLM is built for so many

/// The transcripts of a manifest (.csv, .json), else the lines of a text.
Result<std::vector<std::string>> textsOf(const std::filesystem::path& source)
{
    if (!data::isManifest(source)) {
        const Result<std::string> text = readFile(source);
        if (!text)
            return text.error();
        return split(withoutByteOrderMark(*text), '\n');
    }
    // Where the audio lies does not matter.
    const auto utterances = data::readManifest(source, ".");
    if (!utterances)
        return utterances.error();
    std::vector<std::string> texts;
    for (const data::Utterance& utterance : *utterances)
        texts.push_back(utterance.text);
    return texts;
}

/// Single blanks between words; with `byCharacter` between all characters.
std::string sentence(const std::string& text, bool byCharacter)
{
    std::vector<std::string> words;
    for (const std::string& word : split(text, ' ')) {
        const std::string trimmed(trim(word));
        if (trimmed.empty())
            continue;
        const std::vector<std::string> parts
            = byCharacter ? codePoints(trimmed) : std::vector<std::string> { trimmed };
        words.insert(words.end(), parts.begin(), parts.end());
    }
    return join(words, " ");
}

Status addSentences(
    const std::string& source, bool byCharacter, std::vector<std::string>& sentences)
{
    const auto texts = textsOf(source);
    if (!texts)
        return texts.error();
    for (size_t line = 0; line < texts->size(); ++line) {
        const std::string words = sentence((*texts)[line], byCharacter);
        for (const char* marker : { "<s>", "</s>", "<unk>" }) {
            if ((" " + words + " ").find(std::string(" ") + marker + " ") != std::string::npos)
                return Error { source + ", sentence " + std::to_string(line + 1) + ": '" + marker
                    + "' is no word: n-grams mark the ends of a sentence and unknown words by it" };
        }
        if (!words.empty())
            sentences.push_back(words);
    }
    return Done {};
}

Result<NgramTraining> trainingFrom(const Arguments& arguments)
{
    NgramTraining training;
    training.out = *arguments.option("--out");
    training.memory = arguments.option("--memory").value_or(training.memory);
    const auto order = parseNumber<int64_t>(arguments.option("--order").value_or("3"));
    if (!order || *order < kLeastOrder || *order > kMostOrder)
        return Error { "--order takes a number from " + std::to_string(kLeastOrder) + " to "
            + std::to_string(kMostOrder) };
    training.order = *order;
    for (const std::string& threshold : split(arguments.option("--prune").value_or(""), ' ')) {
        if (threshold.empty())
            continue;
        const auto count = parseNumber<int64_t>(threshold);
        if (!count || *count < 0 || std::ssize(training.prune) == training.order
            || (!training.prune.empty() && *count < training.prune.back()))
            return Error { "--prune takes a count for each order at most, none less than the one "
                           "before, such as \"0 0 1\"" };
        training.prune.push_back(*count);
    }
    return training;
}

} // namespace

int runLm(const std::vector<std::string>& words)
{
    const Result<Arguments> arguments = parseArguments(
        words, { "--out", "--order", "--prune", "--memory" }, { "--characters" }, 1000);
    if (!arguments || arguments->positional.empty() || !arguments->has("--out")
        || !arguments->overrides.empty())
        return usageError("lm",
            !arguments                          ? arguments.error().message
                : !arguments->overrides.empty() ? "unknown option " + arguments->overrides.front()
                                                : "name a manifest or a text and --out FILE");
    Result<NgramTraining> training = trainingFrom(*arguments);
    if (!training)
        return usageError("lm", training.error().message);
    for (const std::string& source : arguments->positional) {
        const Status added
            = addSentences(source, arguments->has("--characters"), training->sentences);
        if (!added) {
            std::cerr << "kymo: " << added.error().message << "\n";
            return engine::kRecipeErrors;
        }
    }
    if (training->sentences.empty()) {
        std::cerr << "kymo: there is no sentence to train on\n";
        return engine::kRecipeErrors;
    }
    catchInterrupts();
    const Result<NgramTrained> trained = trainNgram(*training);
    if (interruptCount() > 0 && !trained) {
        std::cerr << "kymo: stopped, nothing was written\n";
        return engine::kStopped;
    }
    if (!trained) {
        std::cerr << "kymo: " << trained.error().message << "\n";
        return engine::kFailed;
    }
    if (trained->usedFallbackDiscounts)
        std::cerr << "kymo: too few sentences, or too many alike, to estimate how much to discount "
                     "what was seen: usual discounts were taken\n";
    std::cout << training->out.string() << ": order " << training->order << ", "
              << training->sentences.size() << " sentences, " << trained->words
              << " words with <s> and </s>\n";
    return engine::kDone;
}

} // namespace kymo::cli
